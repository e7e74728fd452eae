/**
 * Auto-merge fires when something of a pull request changes: its head, a check or status on it, a review,
 * its draft state. A changed ruleset or base stirs nothing (A06).
 */
import type { PullRequest } from "./model.js";
import type { RepositoryState } from "./state.js";

export function stir(state: RepositoryState, pullRequest: PullRequest): void {
  if (!state.stirred.includes(pullRequest.number)) state.stirred.push(pullRequest.number);
}

/** Something was reported on a commit. */
export function stirHeadsAt(state: RepositoryState, sha: string): void {
  for (const pullRequest of state.pullRequests)
    if (pullRequest.state === "OPEN" && pullRequest.headSha === sha) stir(state, pullRequest);
}
