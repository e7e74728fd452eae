/** The programs the demo drives: the `yoke` command, git, and the admin API of the simulated GitHub. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../main.cjs", import.meta.url));

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `yoke ARGS` as a person enters it, on the instance of `dataDir`. */
export function yoke(dataDir: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, YOKE_DATA_DIR: dataDir },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}

/** `yoke up --simulator` in a process of its own; its talk goes to `talk`. */
export function startInstance(dataDir: string, talk: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [program, "up", "--simulator", "--data-dir", dataDir], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  child.stderr?.on("data", (chunk: Buffer) => talk(chunk.toString("utf8")));
  return child;
}

export async function git(folder: string, ...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=Robin", "-c", "user.email=robin@example.org"];
  const { stdout } = await run("git", [...identity, ...args], { cwd: folder });
  return stdout.trim();
}

/** The admin API of the simulated GitHub (docs/simulator.md). */
export class Admin {
  constructor(private readonly url: string) {}

  async ask<Answer>(method: string, path: string, input?: unknown): Promise<Answer> {
    const answer = await fetch(`${this.url}/_sim${path}`, {
      method,
      ...(input === undefined
        ? {}
        : { body: JSON.stringify(input), headers: { "content-type": "application/json" } }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`the simulated GitHub answered ${answer.status} to ${path}: ${text}`);
    return (text === "" ? null : JSON.parse(text)) as Answer;
  }
}
