/** The one place of the simulator that starts git; its own, so that it shares no fault with yoke's. */
import { spawn } from "node:child_process";

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitCall {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit statuses that are answers; others reject. Default: 0. */
  readonly ok?: readonly number[];
}

/** Environment without the caller's configuration, identity, or repository. */
export function cleanEnvironment(): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    LC_ALL: "C",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
  };
}

export function runGit(
  cwd: string,
  args: readonly string[],
  call: GitCall = {},
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, env: { ...cleanEnvironment(), ...call.env } });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    // A git that answers without reading its input closes the pipe; its exit status tells the rest.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => {
      const output = {
        code: code ?? -1,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8"),
      };
      if ((call.ok ?? [0]).includes(output.code)) resolve(output);
      else reject(new Error(`git ${args.join(" ")} failed (${output.code}): ${output.stderr}`));
    });
    child.stdin.end(call.input ?? "");
  });
}
