/** Keeps one service running: when its process ends uncalled for, it is started again, later each time. */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./log.js";
import type { ServiceProcess } from "./service-process.js";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
/** A process that ran this long was healthy, so its end starts the pauses anew. */
const HEALTHY_AFTER_MS = 10_000;

export interface SupervisedOptions<T extends ServiceProcess> {
  readonly name: string;
  /** Starts the service. Called again after each end, so it must use the same ports and data. */
  readonly start: () => Promise<T>;
  /** Told of each process, the first one included, as soon as it is there. */
  readonly started: (process: T) => void;
  readonly log: Log;
}

export interface Supervised<T extends ServiceProcess> {
  /** The first process. Its ports and addresses are those of all that follow. */
  readonly first: T;
  /** Stops the service and its restarts. Resolves once nothing of it runs. */
  stop(): Promise<void>;
}

/** Rejects with the reason when the first start fails; a later failure is logged and tried again. */
export async function supervise<T extends ServiceProcess>(
  options: SupervisedOptions<T>,
): Promise<Supervised<T>> {
  const stopping = new AbortController();
  const first = await options.start();
  options.started(first);
  const done = keepRunning(first, options, stopping.signal);
  return {
    first,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function keepRunning<T extends ServiceProcess>(
  first: T,
  { name, start, started, log }: SupervisedOptions<T>,
  stopping: AbortSignal,
): Promise<void> {
  const stopped = new Promise<"stop">((resolve) => {
    stopping.addEventListener("abort", () => resolve("stop"), { once: true });
  });
  let current: T | null = first;
  let pauseMs = FIRST_PAUSE_MS;
  let since = performance.now();
  while (!stopping.aborted) {
    if (current !== null) {
      const how = await Promise.race([current.exited, stopped]);
      if (stopping.aborted) break;
      if (performance.now() - since > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      log(`${name} ended (${how}); starting it again in ${String(pauseMs / 1000)} s`);
    }
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (stopping.aborted) break;
    current = await start().catch((error: unknown) => {
      log(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    });
    since = performance.now();
    if (current !== null) started(current);
  }
  await current?.stop();
}
