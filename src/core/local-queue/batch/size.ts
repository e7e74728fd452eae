/** How many candidates are tried together (C4.11). */

/** What earlier batches came to: candidates that were judged, and those of them that did not land. */
export interface Judged {
  readonly judged: number;
  readonly failed: number;
}

const most = 64;
/** What is supposed of a queue that has no record yet: one candidate in ten fails. */
const supposed: Judged = { judged: 10, failed: 1 };

/**
 * `auto`: the largest batch that passes whole at least every second time, if candidates go on failing as they did.
 * Between 1 and 64; a declared number stands.
 */
export function batchSize(declared: number | "auto", record: Judged): number {
  if (declared !== "auto") return declared;
  const judged = supposed.judged + record.judged;
  const passes = 1 - (supposed.failed + record.failed) / judged;
  if (passes <= 0) return 1;
  return Math.min(most, Math.max(1, Math.floor(Math.log(0.5) / Math.log(passes))));
}
