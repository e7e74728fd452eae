/**
 * What a stop rests on where the queue squashes or rebases (A5.12, A16.2): the base branch never contains the candidate,
 * so that it does not is no proof of a removal without a merge. GitHub's word, merged or not, may lag behind the removal.
 */
import { secondsBetween } from "./elapsed.js";
import type { StopEvidence } from "./model.js";

/** For so long after a removal a merge may not show yet. */
const lagSeconds = 120;

/** The evidence with "no" as not known while the removal is fresh and nothing says that it was for a failure. */
export function withoutAncestry(evidence: StopEvidence): StopEvidence {
  const { baseContainsCandidate, failedChecks, removal, readAt } = evidence;
  if (baseContainsCandidate !== "no" || failedChecks.length > 0 || removal === null) {
    return evidence;
  }
  if (secondsBetween(removal.at, readAt) > lagSeconds) return evidence;
  return { ...evidence, baseContainsCandidate: "unknown" };
}
