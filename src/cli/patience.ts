/** Rides over a server that is away for a while: it restarts, or one of its stores does. */
import { setTimeout as delay } from "node:timers/promises";
import type { RefusalCode } from "../core/refusals.js";
import type { Outcome } from "../functions/define.js";
import { say } from "./print.js";

/** What passes by itself once the server and its stores are back. */
const AWAY: ReadonlySet<RefusalCode> = new Set([
  "service_unreachable",
  "database_unavailable",
  "temporal_unavailable",
]);
const againMs = 1000;

/**
 * The outcome of `ask`, asked again while the server is away, for at most `seconds` at a time; after that the refusal it
 * was last answered with. `ask` must be one that may be repeated.
 */
export async function withPatience<Output>(
  seconds: number,
  ask: () => Promise<Outcome<Output>>,
): Promise<Outcome<Output>> {
  let awaySince: number | null = null;
  for (;;) {
    const outcome = await ask();
    if (outcome.ok || !outcome.refusals.some(({ code }) => AWAY.has(code))) {
      if (awaySince !== null) say("The server answers again.");
      return outcome;
    }
    const now = performance.now();
    if (awaySince === null && seconds > 0) {
      const seen = outcome.refusals.map(({ message }) => message).join(" ");
      say(`${seen} Waiting up to ${seconds} s for it; what was begun goes on meanwhile.`);
    }
    awaySince ??= now;
    if (now - awaySince >= seconds * 1000) return outcome;
    await delay(againMs);
  }
}
