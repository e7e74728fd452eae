/** Merging without a queue. */
import { mayWrite } from "./actors.js";
import type { Engine } from "./engine.js";
import { branchMoved } from "./branch-moved.js";
import { groupCommit } from "./groups.js";
import { deleteMergedHead } from "./head-branch.js";
import { markMerged } from "./merged.js";
import type { Actor, MergeMethod, PullRequest, Repository } from "./model.js";
import { requirePullRequest } from "./pull-request-of.js";
import { entryOf } from "./queue.js";
import { unmetRequirements } from "./readiness.js";
import { Refusal } from "./refusal.js";
import type { MergePullRequest } from "./requests.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

const ALLOWED = {
  MERGE: ["mergeCommitAllowed", "Merge commits are not allowed on this repository."],
  SQUASH: ["squashMergeAllowed", "Squash merges are not allowed on this repository."],
  REBASE: ["rebaseMergeAllowed", "Rebase merges are not allowed on this repository."],
} as const;

/** Returns the merge commit. */
export async function mergeDirectly(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: MergePullRequest,
): Promise<string> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  const method = ask.mergeMethod ?? "MERGE";
  if (!mayWrite(engine, ask.actor))
    throw new Refusal("FORBIDDEN", "Resource not accessible by this account");
  // Quirk 31: the two texts of a queued base.
  if (entryOf(state, number) !== null)
    throw new Refusal("NOT_ALLOWED", "Pull Request is in the merge queue");
  if (branchRules(repository, pullRequest.baseBranch).mergeQueue !== null)
    throw new Refusal("NOT_ALLOWED", "Changes must be made through the merge queue");
  const [setting, text] = ALLOWED[method];
  if (!repository[setting]) throw new Refusal("NOT_ALLOWED", text);
  if (ask.expectedHeadOid !== undefined && ask.expectedHeadOid !== pullRequest.headSha)
    throw new Refusal("CONFLICT", "Head branch was modified. Review and try the merge again.");
  const unmet = await unmetRequirements(engine, state, pullRequest);
  if (unmet.length > 0)
    throw new Refusal("NOT_ALLOWED", `Pull Request is not mergeable: ${unmet.join(" ")}`);
  return mergeNow(engine, state, pullRequest, { actor: ask.actor, method });
}

/** Merges a pull request that is ready. @throws Refusal NOT_ALLOWED when the base has just moved. */
export async function mergeNow(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  ask: { readonly actor: Actor; readonly method: MergeMethod },
): Promise<string> {
  const before = pullRequest.baseSha;
  const commit = await groupCommit(engine, state, {
    pullRequest,
    head: pullRequest.headSha,
    onto: before,
    method: ask.method,
  });
  const ref = `refs/heads/${pullRequest.baseBranch}`;
  const git = engine.git(state.repository);
  if (commit === null || !(await git.updateRef(ref, commit, before)))
    throw new Refusal("NOT_ALLOWED", "Base branch was modified. Review and try the merge again.");
  await markMerged(engine, state, pullRequest, { commit, actor: ask.actor, removal: "MERGE" });
  await branchMoved(engine, state, { ref, before, after: commit }, ask.actor);
  await deleteMergedHead(engine, state, pullRequest);
  return commit;
}
