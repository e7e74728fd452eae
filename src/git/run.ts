/** The one place that starts git. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";

import type { Secret } from "../config/secret.js";
import { GIT_CONFIGURATION, gitEnvironment } from "./environment.js";
import { GitError } from "./error.js";
import { endGroup, groupEnded, groupStarted } from "./process-group.js";
import { printable, redact } from "./redact.js";

export interface RunOptions {
  /** Folder git runs in; it must exist. */
  readonly cwd: string;
  /** Added to the cleaned environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Configuration of this call only, `key=value`; never a secret (it is in the argument list). */
  readonly config?: readonly string[];
  /** Bytes for standard input; without them git reads end of file. */
  readonly input?: Uint8Array;
  readonly timeoutMs?: number;
  /** Exit statuses that are answers. Others throw. Default: 0. */
  readonly okCodes?: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** Values taken out of everything git says. */
  readonly secrets?: readonly Secret[];
  /** Limit of standard output in bytes; more ends git with `output_too_large`. */
  readonly maxOutputBytes?: number;
  /** Between asking the process group to end and making it. */
  readonly graceMs?: number;
}

export interface GitAnswer {
  readonly code: number;
  /** Bytes as git wrote them: names and messages need not be UTF-8 (case C29). */
  readonly stdout: Buffer;
  /** Redacted and bounded. */
  readonly stderr: string;
}

const READ_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** A process that outlives git may hold its pipes open; git's own output is complete by then. */
const PIPES_AFTER_EXIT_MS = 2_000;

/**
 * Runs `git <args>` in its own process group, with a cleaned environment, without a terminal.
 *
 * @throws GitError for an exit status outside `okCodes`, the time limit, cancellation, too much
 *   output, and when git or the folder does not exist. It never holds one of `secrets`.
 */
export async function runGit(args: readonly string[], options: RunOptions): Promise<GitAnswer> {
  const secrets = options.secrets ?? [];
  const what = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`.trim();
  if (options.signal?.aborted === true) throw new GitError("cancelled", `${what} was cancelled`);

  const run = await collect(commandLine(args, options.config), what, options);
  const stderr = tidy(run.stderr, secrets);
  if (run.ended !== null) {
    const left = run.allGone ? "" : "; a process of it survived SIGKILL";
    throw new GitError(run.ended.kind, `${what} ${run.ended.why}${left}`, run.code, stderr);
  }
  if (run.code === null || !(options.okCodes ?? [0]).includes(run.code)) {
    const how = run.code === null ? `ended by ${run.signal}` : `failed with exit ${run.code}`;
    throw new GitError(
      "failed",
      stderr === "" ? `${what} ${how}` : `${what} ${how}: ${stderr}`,
      run.code,
      stderr,
    );
  }
  return { code: run.code, stdout: Buffer.concat(run.stdout), stderr };
}

function commandLine(args: readonly string[], config: readonly string[] = []): string[] {
  return [...[...GIT_CONFIGURATION, ...config].flatMap((setting) => ["-c", setting]), ...args];
}

interface Collected {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer[];
  readonly stderr: Buffer;
  /** Set when we ended it. */
  readonly ended: {
    readonly kind: "timeout" | "cancelled" | "output_too_large";
    readonly why: string;
  } | null;
  readonly allGone: boolean;
}

async function collect(argv: string[], what: string, options: RunOptions): Promise<Collected> {
  const timeoutMs = options.timeoutMs ?? READ_TIMEOUT_MS;
  const maxOutputBytes = options.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const child = start(argv, what, options);
  const stdout: Buffer[] = [];
  const errors: Buffer[] = [];
  let outputBytes = 0;
  let errorBytes = 0;
  let ended: Collected["ended"] = null;
  let ending: Promise<boolean> = Promise.resolve(true);

  return new Promise<Collected>((resolve, reject) => {
    const group = child.pid;
    const end = (why: NonNullable<Collected["ended"]>): void => {
      if (ended !== null || group === undefined) return;
      ended = why;
      ending = endGroup(group, options.graceMs ?? 5_000);
      // A survivor that left the group must not keep the caller waiting for its pipes.
      void ending.then(() => finish(child.exitCode, child.signalCode));
    };
    const onAbort = (): void => end({ kind: "cancelled", why: "was cancelled" });
    const timer = setTimeout(
      () => end({ kind: "timeout", why: `took longer than ${timeoutMs} ms` }),
      timeoutMs,
    );
    let pipes: NodeJS.Timeout | undefined;
    const release = (): void => {
      clearTimeout(timer);
      clearTimeout(pipes);
      options.signal?.removeEventListener("abort", onAbort);
      if (group !== undefined) groupEnded(group);
    };
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      release();
      child.stdout?.destroy();
      child.stderr?.destroy();
      void ending.then((allGone) =>
        resolve({ code, signal, stdout, stderr: wholeLines(errors, errorBytes), ended, allGone }),
      );
    };

    if (group !== undefined) groupStarted(group);
    options.signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= maxOutputBytes) stdout.push(chunk);
      else end({ kind: "output_too_large", why: `wrote more than ${maxOutputBytes} bytes` });
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      const room = MAX_ERROR_BYTES - errorBytes;
      if (room > 0) errors.push(chunk.subarray(0, room));
      errorBytes += chunk.length;
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      release();
      reject(notStarted(what, options.cwd, error));
    });
    child.on("exit", (code, signal) => {
      pipes = setTimeout(() => finish(code, signal), PIPES_AFTER_EXIT_MS);
    });
    child.on("close", finish);
    // Git may end before it has read everything; its exit status says so better than EPIPE.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input);
  });
}

function start(argv: string[], what: string, options: RunOptions): ChildProcess {
  try {
    return spawn("git", argv, {
      cwd: options.cwd,
      env: gitEnvironment(options.env),
      detached: true,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    // A NUL byte in an argument, for one: no name git knows has it.
    throw notStarted(what, options.cwd, error instanceof Error ? error : new Error(String(error)));
  }
}

function notStarted(what: string, cwd: string, error: NodeJS.ErrnoException): GitError {
  if (error.code === "ENOENT" && !existsSync(cwd)) {
    return new GitError("not_started", `${what} was not run: there is no folder ${cwd}`);
  }
  if (error.code === "ENOENT") {
    return new GitError("not_started", `${what} was not run: there is no git on PATH`);
  }
  return new GitError("not_started", `${what} was not run: ${error.code ?? "invalid argument"}`);
}

/** A cut in the middle of a secret would hide it from redaction: only whole lines are kept. */
function wholeLines(chunks: readonly Buffer[], written: number): Buffer {
  const kept = Buffer.concat(chunks);
  return written <= kept.length ? kept : kept.subarray(0, kept.lastIndexOf(10) + 1);
}

function tidy(bytes: Buffer, secrets: readonly Secret[]): string {
  return printable(redact(bytes.toString("utf8"), secrets)).trim();
}
