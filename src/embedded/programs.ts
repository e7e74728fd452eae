/** The programs of yoke that `yoke up` runs, each in a process of its own. */
import { fileURLToPath } from "node:url";
import type { Log } from "./log.js";
import { lastLines } from "./log-file.js";
import { isPortTaken, portTaken } from "./port-taken.js";
import { untilListens } from "./ports.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import type { StopStep } from "./process-identity.js";
import { startProcess, type ServiceProcess } from "./service-process.js";
import type { ServiceName } from "./services-file.js";
import { supervise, type Supervised } from "./supervise.js";

/** What node runs for each. */
export interface Programs {
  readonly server: string;
  readonly worker: string;
  readonly simulator: string;
}

/** The compiled programs beside this one. */
export const builtPrograms: Programs = {
  server: fileURLToPath(new URL("../server/main.js", import.meta.url)),
  worker: fileURLToPath(new URL("../worker/main.js", import.meta.url)),
  simulator: fileURLToPath(new URL("../simulator/wire/main.js", import.meta.url)),
};

/** A worker finishes what it has in hand (10 s by its own configuration) before it ends. */
const STOP_STEPS: readonly StopStep[] = [
  ["SIGTERM", 15_000],
  ["SIGKILL", 2_000],
];
const SERVING_WITHIN_MS = 60_000;
/** A program that ended this often has a fault that another try will not cure. */
const ENDS_BEFORE_GIVING_UP = 4;

export interface ProgramOptions {
  readonly name: ServiceName;
  readonly script: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly started: (process: ServiceProcess) => void;
  readonly log: Log;
}

export async function superviseProgram(
  options: ProgramOptions,
): Promise<Supervised<ServiceProcess>> {
  return supervise({
    name: options.name,
    log: options.log,
    started: options.started,
    start: () =>
      startProcess({
        program: process.execPath,
        args: [options.script, ...options.args],
        env: options.env,
        logFile: options.logFile,
        stopSteps: STOP_STEPS,
      }),
  });
}

/**
 * Supervises a program that listens on `port`; resolves once it does. Throws `Refused` with
 * `service_start_failed`, or `port_in_use` when something else listens there, and the reason of `stop` when that comes
 * first; nothing of it runs then.
 */
export async function superviseListener(
  options: ProgramOptions,
  port: number,
  stop: AbortSignal,
): Promise<Supervised<ServiceProcess>> {
  const failed = new AbortController();
  const abortIfTaken = async (): Promise<void> => {
    const taken = await portTaken(port);
    if (taken !== null) failed.abort(taken);
  };
  let ends = 0;
  let pid: number | null = null;
  const supervised = await superviseProgram({
    ...options,
    started: (process) => {
      options.started(process);
      ({ pid } = process);
      process.ended.addEventListener("abort", () => {
        ends += 1;
        if (ends === ENDS_BEFORE_GIVING_UP) failed.abort();
        void abortIfTaken();
      });
    },
  });
  const late = AbortSignal.timeout(SERVING_WITHIN_MS);
  try {
    await untilListens(() => pid, port, AbortSignal.any([stop, failed.signal, late]));
    return supervised;
  } catch (error) {
    await supervised.stop();
    if (stop.aborted || isPortTaken(error)) throw error;
    const { name, logFile } = options;
    const said = await lastLines(logFile, 3);
    throw new Refused([
      refuse("service_start_failed", `The ${name} did not come up: ${said}`, {
        service: name,
        log: logFile,
      }),
    ]);
  }
}
