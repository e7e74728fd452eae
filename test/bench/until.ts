/** Waiting for what other processes do: looked at again and again, and given up loudly. */
import { setTimeout as delay } from "node:timers/promises";

const stepMs = 20;

/** The first answer that is not null. Throws after `patienceMs`, naming what did not happen. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null> | T | null,
  patienceMs = 180_000,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (Date.now() > end) throw new Error(`${what}: not in ${patienceMs / 1000} s`);
    await delay(stepMs);
  }
}
