/** What becomes of a pull request whose change has landed. */
import { announcePullRequest } from "./announce-pull-request.js";
import type { Engine } from "./engine.js";
import type { Actor, DequeueReason, PullRequest } from "./model.js";
import { leaveQueue } from "./queue.js";
import type { RepositoryState } from "./state.js";
import { record } from "./timeline.js";

/**
 * Marks it merged by `commit` and takes it out of the queue. Removal and merge share a second and come in
 * either order (quirk 22). The base branch must have been moved before.
 */
export async function markMerged(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  ask: { readonly commit: string; readonly actor: Actor; readonly removal: DequeueReason },
): Promise<void> {
  const { actor } = ask;
  const leave = (): Promise<void> => leaveQueue(engine, state, pullRequest, ask.removal);
  const merge = async (): Promise<void> => {
    const now = engine.stamp();
    pullRequest.state = "MERGED";
    pullRequest.mergeCommit = ask.commit;
    pullRequest.mergedAt = now;
    pullRequest.mergedBy = actor;
    pullRequest.closedAt = now;
    pullRequest.autoMerge = null;
    record(engine, state, pullRequest, actor, {
      type: "MergedEvent",
      commit: ask.commit,
      mergeRefName: pullRequest.baseBranch,
    });
    record(engine, state, pullRequest, actor, { type: "ClosedEvent" });
    await announcePullRequest(engine, state, pullRequest, "closed", actor);
  };
  if (state.repository.options.removalOnMerge === "before_merged") await leave();
  await merge();
  // Does nothing when it has left.
  await leave();
}
