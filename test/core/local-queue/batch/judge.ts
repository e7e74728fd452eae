/** Drives a search as a queue would, with verdicts that a test decides, and keeps what was asked. */
import { searchBatch } from "../../../../src/core/local-queue/batch/search.js";
import type { BatchResult, Trial, Verdict } from "../../../../src/core/local-queue/batch/trial.js";

export interface Judged {
  readonly result: BatchResult;
  readonly trials: readonly (Trial & { readonly verdict: Verdict })[];
}

export const passed: Verdict = { is: "passed" };

export function failed(...signals: readonly string[]): Verdict {
  return { is: "failed", evidence: [{ gate: "tests", signals }] };
}

export function judged(
  batch: readonly string[],
  judge: (members: readonly string[], nth: number) => Verdict,
): Judged {
  const search = searchBatch(batch);
  const trials: (Trial & { readonly verdict: Verdict })[] = [];
  for (let step = search.next(); ;) {
    if (step.done === true) return { result: step.value, trials };
    const verdict = judge(step.value.members, trials.length);
    trials.push({ ...step.value, verdict });
    step = search.next(verdict);
  }
}

export function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `c${index + 1}`);
}
