/** Status and conclusion of a check suite, from the newest run of each name in it. */
import { checkRunsAt } from "./by-commit.js";
import type { CheckConclusion, CheckRun, CheckSuite, RunStatus } from "./model.js";
import type { RepositoryState } from "./state.js";

/** Worst first. */
const ORDER: readonly CheckConclusion[] = [
  "startup_failure",
  "failure",
  "timed_out",
  "action_required",
  "cancelled",
  "stale",
];

export function suiteStatus(state: RepositoryState, suite: CheckSuite): RunStatus {
  const runs = newestRuns(state, suite);
  if (runs.length > 0 && runs.every((run) => run.status === "completed")) return "completed";
  return runs.some((run) => run.status !== "queued") ? "in_progress" : "queued";
}

export function suiteConclusion(state: RepositoryState, suite: CheckSuite): CheckConclusion | null {
  if (suiteStatus(state, suite) !== "completed") return null;
  return worstConclusion(newestRuns(state, suite).map((run) => run.conclusion));
}

export function worstConclusion(conclusions: readonly (CheckConclusion | null)[]): CheckConclusion {
  const worst = ORDER.find((one) => conclusions.includes(one));
  if (worst !== undefined) return worst;
  if (conclusions.includes("success")) return "success";
  return conclusions.includes("neutral") ? "neutral" : "skipped";
}

function newestRuns(state: RepositoryState, suite: CheckSuite): CheckRun[] {
  const newest = new Map<string, CheckRun>();
  for (const run of checkRunsAt(state, suite.headSha))
    if (run.suiteId === suite.id) newest.set(run.name, run);
  return [...newest.values()];
}
