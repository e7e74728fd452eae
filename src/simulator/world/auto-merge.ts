/** Merge-when-ready: arming, firing, and what turns it off. */
import { mayWrite } from "./actors.js";
import { announcePullRequest } from "./announce-pull-request.js";
import type { Engine } from "./engine.js";
import { decidedMergeState } from "./mergeability.js";
import { mergeNow } from "./merging.js";
import type { Actor, PullRequest, Repository } from "./model.js";
import { requirePullRequest } from "./pull-request-of.js";
import { addEntry, entryOf } from "./queue.js";
import { unmetRequirements } from "./readiness.js";
import { Refusal, unprocessable } from "./refusal.js";
import type { EnableAutoMerge } from "./requests.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";
import { record, touched } from "./timeline.js";
import { turnOff } from "./turn-off.js";

/**
 * Arms a pull request that waits for something. Already armed: no change.
 *
 * @throws Refusal UNPROCESSABLE with the messages of github-facts 1.3.
 */
export async function enable(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: EnableAutoMerge,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  requireRights(engine, ask.actor, "EnablePullRequestAutoMerge");
  const rules = branchRules(repository, pullRequest.baseBranch);
  if (!repository.autoMergeAllowed)
    throw unprocessable("Auto merge is not allowed for this repository");
  if (pullRequest.state !== "OPEN") throw refused("Pull request is closed");
  if (rules.rulesets.length === 0)
    throw refused("Protected branch rules not configured for this branch");
  if (ask.mergeMethod !== undefined && rules.mergeQueue !== null)
    throw refused("The merge method is not valid for merge queue");
  if (ask.expectedHeadOid !== undefined && ask.expectedHeadOid !== pullRequest.headSha)
    throw unprocessable("Head branch was modified. Review and try the merge again.");
  if (pullRequest.autoMerge !== null) return pullRequest;
  const mergeState = await decidedMergeState(engine, state, pullRequest);
  if (mergeState === "CLEAN" || mergeState === "UNSTABLE") {
    const queued = entryOf(state, number) !== null;
    const { armWhenClean } = repository.options;
    if (queued || armWhenClean === "refuse")
      throw refused(`Pull request is in ${mergeState.toLowerCase()} status`);
    if (armWhenClean === "enqueue") {
      await arm(engine, state, pullRequest, ask);
      await proceed(engine, state, pullRequest, ask.actor);
      return pullRequest;
    }
  }
  if (mergeState === "DIRTY" || mergeState === "DRAFT")
    throw refused(`Pull request is in ${mergeState.toLowerCase()} status`);
  await arm(engine, state, pullRequest, ask);
  return pullRequest;
}

/** GitHub's own text says "Pull request" twice. */
function refused(why: string): Refusal {
  return unprocessable(`Pull request ${why}`);
}

function requireRights(engine: Engine, actor: Actor, mutation: string): void {
  if (!mayWrite(engine, actor))
    throw new Refusal(
      "FORBIDDEN",
      `${actor.login} does not have the correct permissions to execute \`${mutation}\``,
    );
}

async function arm(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  ask: EnableAutoMerge,
): Promise<void> {
  const { mergeQueue } = branchRules(state.repository, pullRequest.baseBranch);
  pullRequest.autoMerge = {
    enabledAt: engine.stamp(),
    enabledBy: ask.actor,
    mergeMethod: mergeQueue?.mergeMethod ?? ask.mergeMethod ?? "MERGE",
  };
  record(engine, state, pullRequest, ask.actor, { type: "AutoMergeEnabledEvent" });
  await announcePullRequest(engine, state, pullRequest, "auto_merge_enabled", ask.actor);
}

/** @throws Refusal UNPROCESSABLE when it is not armed. */
export async function disable(
  engine: Engine,
  repository: Repository,
  number: number,
  actor: Actor,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  requireRights(engine, actor, "DisablePullRequestAutoMerge");
  if (pullRequest.autoMerge === null)
    throw unprocessable("Can't disable auto-merge for this pull request.");
  await turnOff(engine, state, pullRequest, { actor, reason: "Disabled manually", code: "MANUAL" });
  return pullRequest;
}

/** Fires for armed pull requests that were stirred and are ready. True when something changed. */
export async function autoMergePass(engine: Engine, state: RepositoryState): Promise<boolean> {
  const stirred = state.stirred.splice(0);
  let changed = false;
  for (const number of stirred) {
    const pullRequest = state.pullRequests.find((one) => one.number === number);
    if (pullRequest?.autoMerge == null || entryOf(state, number) !== null) continue;
    if ((await unmetRequirements(engine, state, pullRequest)).length > 0) continue;
    await proceed(engine, state, pullRequest, pullRequest.autoMerge.enabledBy);
    changed = true;
  }
  return changed;
}

/** Into the queue where there is one, else onto the base branch. */
async function proceed(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  actor: Actor,
): Promise<void> {
  if (branchRules(state.repository, pullRequest.baseBranch).mergeQueue !== null) {
    await addEntry(engine, state, pullRequest, { actor, jump: false });
    return;
  }
  const method = pullRequest.autoMerge?.mergeMethod ?? "MERGE";
  await mergeNow(engine, state, pullRequest, { actor, method });
  touched(engine, state, pullRequest);
}
