/** What a run adds up to, batch after batch. */
import type { BatchResult } from "../batch/trial.js";
import { EXIT, type ExitStatus } from "../../refusals.js";
import type { Landed, Queued, RunSummary } from "./model.js";

export const begun: RunSummary = {
  base: null,
  landed: [],
  convicted: [],
  deferred: [],
  left: [],
  flaky: [],
  undecidable: null,
  refusals: [],
  trials: 0,
  gateRuns: 0,
};

export interface BatchDone {
  readonly batch: readonly Queued[];
  readonly base: string;
  readonly result: BatchResult;
  /** Null when there was nothing to land. */
  readonly landed: Landed | null;
  /** What the base moved to, if it landed. */
  readonly commit: string | null;
  readonly trials: number;
  readonly gateRuns: number;
}

/** Candidates that the run does not try again: judged, or with nothing to be proved now. */
export function settledBy({ batch, result, landed }: BatchDone): ReadonlySet<string> {
  const again = new Set(result.deferred.map(({ member }) => member));
  // Nothing of a batch that did not land is settled, except what was proved against its members.
  if (landed !== null && landed.is !== "landed") for (const id of result.land) again.add(id);
  // A batch of conflicts only would be the same batch again.
  if (result.land.length === 0 && result.convicted.length === 0) again.clear();
  return new Set(batch.map(({ id }) => id).filter((id) => !again.has(id)));
}

export function summed(summary: RunSummary, done: BatchDone): RunSummary {
  const { batch, base, result, landed, commit } = done;
  const settled = settledBy(done);
  const land = landed?.is === "landed" ? result.land : [];
  const moved = landed?.is === "landed" ? commit : null;
  return {
    base: { before: summary.base?.before ?? base, after: moved ?? summary.base?.after ?? base },
    landed: [...summary.landed, ...batch.filter(({ id }) => land.includes(id))],
    convicted: [...summary.convicted, ...result.convicted],
    deferred: [...summary.deferred, ...result.deferred.filter(({ member }) => settled.has(member))],
    left: [...summary.left, ...result.left],
    flaky: [...summary.flaky, ...result.flaky],
    undecidable: result.undecidable ?? summary.undecidable,
    refusals: landed?.is === "refused" ? landed.refusals : summary.refusals,
    trials: summary.trials + done.trials,
    gateRuns: summary.gateRuns + done.gateRuns,
  };
}

/** C1.3: refused before rejected; whatever landed beside it. */
export function exitOf(summary: RunSummary): ExitStatus {
  const refused = summary.convicted.some((conviction) => conviction.as === "refused");
  if (summary.refusals.length > 0 || summary.undecidable !== null || refused) return EXIT.refused;
  return summary.convicted.length > 0 ? EXIT.failed : EXIT.ok;
}
