/** How long an entry still takes, from those that landed before it. */
import type { PullRequest } from "../../../world/model.js";

/** Landings an estimate rests on. */
const LOOKED_AT = 10;

/**
 * Seconds left for an entry that has waited `waitedMs`: what the newest landings of the queue took on average.
 * Null while nothing has landed through it.
 */
export function secondsToMerge(
  pullRequests: readonly PullRequest[],
  branch: string,
  waitedMs: number,
): number | null {
  const took: number[] = [];
  for (let at = pullRequests.length - 1; at >= 0 && took.length < LOOKED_AT; at -= 1) {
    const pullRequest = pullRequests[at];
    if (pullRequest?.mergedAt == null || pullRequest.baseBranch !== branch) continue;
    const added = pullRequest.timeline.findLast(({ type }) => type === "AddedToMergeQueueEvent");
    if (added === undefined) continue;
    took.push(Date.parse(pullRequest.mergedAt) - Date.parse(added.createdAt));
  }
  if (took.length === 0) return null;
  const average = took.reduce((sum, one) => sum + one, 0) / took.length;
  return Math.max(0, Math.round((average - waitedMs) / 1000));
}
