/** A bound on stopping: what is not done by then is on record, and the next process does it. */
import { setTimeout as delay } from "node:timers/promises";

/** Whether the work ended within `ms`. */
export async function stopWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const late = delay(ms, false, { signal: done.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    done.abort();
  }
}
