/** Runs the command of a gate in a throwaway worktree: argv, never a shell (C2.3, C4.8). */
import { spawn, type ChildProcess } from "node:child_process";
import { endGroup, groupEnded, groupStarted } from "../git/process-group.js";
import { keepOutput, type KeptOutput } from "./output.js";

export interface GateCommand {
  /** At least the program. */
  readonly argv: readonly string[];
  /** The worktree; it must exist. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Gets the whole output, up to the limit of `keepOutput`. Its folder must exist. */
  readonly outputFile: string;
  readonly signal?: AbortSignal;
  /** Between asking the process group to end and making it. */
  readonly graceMs?: number;
}

/** How a gate ended. `survivors`: processes of its group outlived SIGKILL. */
export type GateEnd = (
  | { readonly ended: "exit"; readonly status: number }
  | { readonly ended: "signal"; readonly signal: string }
  | { readonly ended: "timeout" }
  | { readonly ended: "cancelled" }
) & { readonly output: KeptOutput; readonly elapsedMs: number; readonly survivors: boolean };

export type GateRun =
  | GateEnd
  /** The program is not there, or may not be executed: says nothing of the tree (C4.3). */
  | { readonly ended: "not_executable"; readonly why: string };

/** How long output may still come after the command itself ended: a child that it left behind holds the pipes. */
const pipesAfterExitMs = 1_000;

/**
 * Standard output and standard error are kept as they came, in one file. The command leads a process group of its own;
 * at the timeout, on abort, and when the command ended but its children did not, the whole group is ended (case C30).
 */
export async function runGate(command: GateCommand): Promise<GateRun> {
  const began = performance.now();
  const output = keepOutput(command.outputFile);
  let child: ChildProcess;
  try {
    child = await started(command);
  } catch (error) {
    output.close();
    const why = error instanceof Error ? error.message : String(error);
    return { ended: "not_executable", why };
  }
  const group = child.pid as number;
  groupStarted(group);
  const stopped = await ending(child, command, (chunk) => output.write(chunk));
  const gone = await endGroup(group, stopped === null ? 0 : (command.graceMs ?? 5_000));
  groupEnded(group);
  await closed(child);
  const common = {
    output: output.close(),
    elapsedMs: Math.round(performance.now() - began),
    survivors: !gone,
  };
  if (stopped !== null) return { ended: stopped, ...common };
  const { exitCode, signalCode } = child;
  return exitCode === null
    ? { ended: "signal", signal: signalCode ?? "unknown", ...common }
    : { ended: "exit", status: exitCode, ...common };
}

/** Resolves once the program runs; rejects with the system's word why it does not. */
async function started({ argv, cwd, env }: GateCommand): Promise<ChildProcess> {
  const [program, ...args] = argv as [string, ...string[]];
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  // A failed kill is told by `survivors`.
  child.on("error", () => undefined);
  return child;
}

/** Resolves when the command ended by itself (null), or is to be ended. */
async function ending(
  child: ChildProcess,
  { timeoutMs, signal }: GateCommand,
  write: (chunk: Buffer) => void,
): Promise<"timeout" | "cancelled" | null> {
  child.stdout?.on("data", write);
  child.stderr?.on("data", write);
  return new Promise((resolve) => {
    const timer = setTimeout(() => done("timeout"), timeoutMs);
    const onAbort = (): void => done("cancelled");
    const done = (why: "timeout" | "cancelled" | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(why);
    };
    child.once("exit", () => done(null));
    if (signal?.aborted === true) done("cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** All that was written is read; a process that left the group and holds the pipes is not waited for. */
async function closed(child: ChildProcess): Promise<void> {
  const { stdout, stderr } = child;
  if (stdout?.closed !== true || stderr?.closed !== true) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pipesAfterExitMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  stdout?.destroy();
  stderr?.destroy();
}
