/** Work may be under way when a story ends: a violation counts when it stays. */
import { setTimeout as delay } from "node:timers/promises";

const patienceMs = 5_000;
const stepMs = 50;

/** Looks until nothing is seen, or says what was seen last. */
export async function patiently(
  look: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen.length === 0 || Date.now() > end) return seen;
    await delay(stepMs);
  }
}
