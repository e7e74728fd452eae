/** Whether a pull request may enter the queue, or be merged where there is none. */
import type { Engine } from "./engine.js";
import type { PullRequest } from "./model.js";
import { checkVerdict } from "./required-checks.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

const CHECK_WORDS = { expected: "is expected", pending: "is in progress", failure: "is failing" };

/** Every requirement that is not met, in GitHub's words; empty when it is ready. */
export async function unmetRequirements(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
): Promise<string[]> {
  const unmet: string[] = [];
  if (pullRequest.state !== "OPEN") unmet.push("Pull request is closed.");
  if (pullRequest.isDraft) unmet.push("Pull request is in draft state.");
  unmet.push(...unmetRules(state, pullRequest));
  const git = engine.git(state.repository);
  const tree = await engine.mergeTrees.tree(git, pullRequest.baseSha, pullRequest.headSha);
  if (tree === null) unmet.push("Pull request has merge conflicts.");
  if (await isBehind(engine, state, pullRequest))
    unmet.push("Head branch is out of date: it does not contain the base branch.");
  return unmet;
}

/** Required checks and reviews. */
export function unmetRules(state: RepositoryState, pullRequest: PullRequest): string[] {
  const rules = branchRules(state.repository, pullRequest.baseBranch);
  const unmet: string[] = [];
  for (const check of rules.requiredChecks) {
    const verdict = checkVerdict(state, pullRequest.headSha, check);
    if (verdict !== "success")
      unmet.push(`Required status check "${check.context}" ${CHECK_WORDS[verdict]}.`);
  }
  const approvals = new Set(pullRequest.approvals.map((one) => one.login)).size;
  if (approvals < rules.requiredApprovals) {
    const reviews = rules.requiredApprovals === 1 ? "approving review is" : "approving reviews are";
    unmet.push(
      `At least ${rules.requiredApprovals} ${reviews} required by reviewers with write access.`,
    );
  }
  return unmet;
}

/** The strict policy; a queue replaces it. */
export async function isBehind(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
): Promise<boolean> {
  const rules = branchRules(state.repository, pullRequest.baseBranch);
  if (!rules.strict || rules.mergeQueue !== null) return false;
  const git = engine.git(state.repository);
  return !(await git.isAncestor(pullRequest.baseSha, pullRequest.headSha));
}
