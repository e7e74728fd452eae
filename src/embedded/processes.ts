/** Looks for processes by what they are, for those that a dead parent left behind. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { identify, type ProcessIdentity } from "./process-identity.js";

/** What is known of one process; null where this user may not look. */
export interface SeenProcess {
  readonly identity: ProcessIdentity;
  readonly cwd: string | null;
  readonly program: string | null;
  readonly args: readonly string[];
}

/** Every process that `matches`, except this one. */
export async function findProcesses(
  matches: (seen: SeenProcess) => boolean,
): Promise<ProcessIdentity[]> {
  const found: ProcessIdentity[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const identity = identify(Number(name));
    if (identity === null) continue;
    const [cwd, program, cmdline] = await Promise.all([
      readlink(`/proc/${name}/cwd`).catch(() => null),
      readlink(`/proc/${name}/exe`).catch(() => null),
      readFile(`/proc/${name}/cmdline`, "utf8").catch(() => ""),
    ]);
    if (matches({ identity, cwd, program, args: cmdline.split("\0") })) found.push(identity);
  }
  return found;
}
