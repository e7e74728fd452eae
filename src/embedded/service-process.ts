/**
 * One long-running program, in a process group of its own: Ctrl-C of a terminal goes to the whole
 * foreground group, and would otherwise stop all services at once and in no order.
 */
import { spawn, type ChildProcess } from "node:child_process";
import {
  identifyChild,
  stopProcesses,
  type ProcessIdentity,
  type StopStep,
} from "./process-identity.js";
import { withLogFile } from "./log-file.js";

export interface ServiceProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  /** Resolves when the process has ended, with how: `exit 1`, `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Aborted when the process has ended: for loops that wait for it to do something. */
  readonly ended: AbortSignal;
  /** Stops it, first gently. Resolves once it has ended. */
  stop(): Promise<void>;
}

export interface ServiceCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** File that its output is appended to. */
  readonly logFile: string;
  readonly stopSteps: readonly StopStep[];
}

/** Throws when the program cannot be started at all. */
export async function startProcess(command: ServiceCommand): Promise<ServiceProcess> {
  const child = withLogFile(command.logFile, (output) =>
    spawn(command.program, command.args, {
      detached: true,
      cwd: "/",
      env: command.env,
      stdio: ["ignore", output, output],
      ...command.user,
    }),
  );
  const ended = new AbortController();
  const exited = untilExit(child, ended);
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${command.program}: ${await exited}`);
  const identity = identifyChild(pid);
  if (identity === null) throw new Error(`${command.program} cannot be told apart: no /proc`);
  return {
    pid,
    identity,
    exited,
    ended: ended.signal,
    stop: async () => {
      await stopProcesses([identity], command.stopSteps);
      await exited;
    },
  };
}

function untilExit(child: ChildProcess, ended: AbortController): Promise<string> {
  return new Promise((resolve) => {
    const end = (how: string): void => {
      ended.abort();
      resolve(how);
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(signal ?? `exit ${String(code)}`));
  });
}
