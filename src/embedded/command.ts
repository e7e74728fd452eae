/** Runs a short command to its end, with its output kept. */
import { spawn, type SpawnOptions } from "node:child_process";
import { text } from "node:stream/consumers";

export interface CommandResult {
  /** Exit code; null when the program could not be started or died by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Unprivileged user to run as. Only root may ask for another one. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly cwd?: string;
  /** Milliseconds until the command is killed. */
  readonly timeoutMs?: number;
  /** Kills the command. */
  readonly signal?: AbortSignal;
}

/** Never throws for a command that fails or does not exist: the caller decides what that means. */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const spawnOptions: SpawnOptions = {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: options.cwd ?? "/",
    env: options.env ?? process.env,
    ...options.user,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.timeoutMs === undefined
      ? {}
      : { timeout: options.timeoutMs, killSignal: "SIGKILL" as const }),
  };
  const child = spawn(program, args, spawnOptions);
  const failure = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
  });
  const closed = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  if (child.pid === undefined) return { code: null, stdout: "", stderr: await failure };
  const [stdout, stderr, code] = await Promise.all([
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
    closed,
  ]);
  return { code, stdout, stderr };
}

/** The last line that says something, for a reason in a message. */
export function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.trim() ?? "";
}
