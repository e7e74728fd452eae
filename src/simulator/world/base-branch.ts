/** What a moved or deleted base branch does to its pull requests. The queue is rebuilt by its own pass. */
import { closePullRequest } from "./closing.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import { markMerged } from "./merged.js";
import type { Actor, RefUpdate } from "./model.js";
import type { RepositoryState } from "./state.js";

/** Heads that are now part of the base count as merged by whoever pushed. */
export async function baseMoved(
  engine: Engine,
  state: RepositoryState,
  branch: string,
  update: RefUpdate,
  actor: Actor,
): Promise<void> {
  const open = state.pullRequests.filter(
    (one) => one.state === "OPEN" && one.baseBranch === branch,
  );
  if (open.length === 0) return;
  const git = engine.git(state.repository);
  const from = update.before === ZERO_OID ? null : update.before;
  const arrived = new Set((await git.commitsBetween(from, update.after)).map(({ sha }) => sha));
  for (const pullRequest of open) {
    pullRequest.baseSha = update.after;
    // GitHub does not count it as an update of the pull request.
    engine.changed(state, pullRequest);
    if (arrived.has(pullRequest.headSha))
      await markMerged(engine, state, pullRequest, {
        commit: update.after,
        actor,
        removal: "ALREADY_MERGED",
      });
  }
}

/** Closes them for good: they cannot be reopened (A23). */
export async function baseDeleted(
  engine: Engine,
  state: RepositoryState,
  branch: string,
  actor: Actor,
): Promise<void> {
  for (const pullRequest of state.pullRequests) {
    if (pullRequest.state !== "OPEN" || pullRequest.baseBranch !== branch) continue;
    pullRequest.baseDeleted = true;
    await closePullRequest(engine, state, pullRequest, actor, "UNKNOWN_REMOVAL_REASON");
  }
}
