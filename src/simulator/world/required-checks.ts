/** How required checks stand on a commit; the same for a head and for a group. */
import { checkRunsAt, statusesAt } from "./by-commit.js";
import type { CheckRun, CommitStatus, RequiredCheck } from "./model.js";
import type { RepositoryState } from "./state.js";

/** `expected`: nobody has reported it yet. */
export type CheckVerdict = "expected" | "pending" | "failure" | "success";

/** Conclusions that satisfy a requirement (quirk 14); all others fail it, `cancelled` too (quirk 13). */
const SATISFYING = new Set(["success", "neutral", "skipped"]);

/**
 * A check run and a status of the same name are both required (quirk 17). With an `integrationId` only
 * that App's reports count. Of several runs of one App the newest counts.
 */
export function checkVerdict(
  state: RepositoryState,
  sha: string,
  check: RequiredCheck,
): CheckVerdict {
  const from = (appId: number | null): boolean =>
    check.integrationId === null || check.integrationId === appId;
  const runs = checkRunsAt(state, sha).filter(
    (run) => run.name === check.context && from(run.appId),
  );
  const statuses = statusesAt(state, sha).filter(
    (status) => status.context === check.context && from(status.appId),
  );
  const newest = statuses.at(-1);
  const verdicts = [
    ...newestByApp(runs).map(verdictOfRun),
    ...(newest === undefined ? [] : [verdictOfStatus(newest)]),
  ];
  return worst(verdicts);
}

/** Of several requirements; `success` when there are none (quirk 15). */
export function checksVerdict(
  state: RepositoryState,
  sha: string,
  checks: readonly RequiredCheck[],
): CheckVerdict {
  if (checks.length === 0) return "success";
  return worst(checks.map((check) => checkVerdict(state, sha, check)));
}

/** Everything reported on a commit, required or not; `success` when there is nothing. */
export function allReportsVerdict(state: RepositoryState, sha: string): CheckVerdict {
  const runs = new Map<string, CheckRun>();
  for (const run of checkRunsAt(state, sha)) runs.set(`${run.appId}\n${run.name}`, run);
  const statuses = new Map<string, CommitStatus>();
  for (const status of statusesAt(state, sha)) statuses.set(status.context, status);
  const verdicts = [
    ...[...runs.values()].map(verdictOfRun),
    ...[...statuses.values()].map(verdictOfStatus),
  ];
  return verdicts.length === 0 ? "success" : worst(verdicts);
}

function worst(verdicts: readonly CheckVerdict[]): CheckVerdict {
  for (const verdict of ["failure", "pending", "expected"] as const)
    if (verdicts.includes(verdict)) return verdict;
  return verdicts.length === 0 ? "expected" : "success";
}

function newestByApp(runs: readonly CheckRun[]): CheckRun[] {
  const newest = new Map<number, CheckRun>();
  for (const run of runs) newest.set(run.appId, run);
  return [...newest.values()];
}

function verdictOfRun(run: CheckRun): CheckVerdict {
  if (run.status !== "completed" || run.conclusion === null) return "pending";
  return SATISFYING.has(run.conclusion) ? "success" : "failure";
}

function verdictOfStatus(status: CommitStatus): CheckVerdict {
  if (status.state === "pending") return "pending";
  return status.state === "success" ? "success" : "failure";
}
