/** What a closed story must not leave on the machine: connections to its database, and child processes. */
import { readdir, readFile } from "node:fs/promises";
import { Client } from "pg";
import { patiently } from "./patiently.js";
import { broken } from "./violations.js";

export interface Closed {
  /** The story's own database, which is still there. */
  readonly databaseUrl: string;
  /** Children of this process that ran before the story began: a service that outlives it. */
  readonly before: readonly ChildProcess[];
}

/** Throws when something is left. */
export async function checkClosed({ databaseUrl, before }: Closed): Promise<void> {
  const known = new Set(before.map(({ pid }) => pid));
  const children = async () =>
    (await childProcesses())
      .filter(({ pid }) => !known.has(pid))
      .map(({ pid, command }) => `process ${pid} is running: ${command}`);
  const seen = [
    ...(await patiently(() => connectionsTo(databaseUrl))),
    ...(await patiently(children)),
  ];
  if (seen.length > 0) throw broken([{ name: "nothing is left behind by a closed story", seen }]);
}

async function connectionsTo(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; query: string }>(
      `select application_name as name, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return rows.map(({ name, query }) => `a connection of "${name}" is open: ${query}`);
  } finally {
    await client.end();
  }
}

export interface ChildProcess {
  readonly pid: string;
  readonly command: string;
}

/** Running children of this process; one that ended and was not reaped yet is none. */
export async function childProcesses(): Promise<ChildProcess[]> {
  const found: ChildProcess[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // Behind the program's name, which is in brackets and may hold anything.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) !== process.pid || state === "Z") continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    found.push({ pid, command: command.replaceAll("\0", " ").trim() });
  }
  return found;
}
