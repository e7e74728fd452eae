/** Pull requests of REST: what webhooks carry, with what only an answer knows. */
import type { Mergeability } from "../../world/mergeability.js";
import type { PullRequest } from "../../world/model.js";
import { pullRequestPayload } from "../../world/payloads/pull-request.js";
import type { RestCall } from "./call.js";

/** Parts of `pull-request` that `pull-request-simple` does not have. */
const ONLY_WHOLE = [
  "merged",
  "merged_by",
  "mergeable",
  "mergeable_state",
  "rebaseable",
  "comments",
  "review_comments",
  "maintainer_can_modify",
  "commits",
  "additions",
  "deletions",
  "changed_files",
];

/** In lists. */
export async function simplePullRequest(
  call: RestCall,
  pullRequest: PullRequest,
): Promise<Record<string, unknown>> {
  const whole = await pullRequestPayload(call.world.insides, call.state, pullRequest);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !ONLY_WHOLE.includes(name)));
}

const MERGEABLE = { MERGEABLE: true, CONFLICTING: false, UNKNOWN: null } as const;

export async function wholePullRequest(
  call: RestCall,
  pullRequest: PullRequest,
): Promise<Record<string, unknown>> {
  const merge = await call.world.mergeability(call.repository, pullRequest.number, {
    computeMergeable: true,
  });
  const payload = await pullRequestPayload(call.world.insides, call.state, pullRequest);
  const { merge_commit_sha: _, ...rest } = payload;
  return {
    ...rest,
    ...mergeCommit(call, pullRequest, merge),
    mergeable: MERGEABLE[merge.mergeable],
    mergeable_state: merge.mergeStateStatus.toLowerCase(),
    // Whether it could be rebased is not simulated.
    rebaseable: null,
  };
}

/** Before landing it is the test merge; later versions of the API do not have it (github-facts 2.1). */
function mergeCommit(
  call: RestCall,
  pullRequest: PullRequest,
  { potentialMergeCommit }: Mergeability,
): Record<string, unknown> {
  if (call.incoming.header("x-github-api-version") === "2026-03-10") return {};
  return { merge_commit_sha: pullRequest.mergeCommit ?? potentialMergeCommit };
}
