/** A pull request that ends unmerged. */
import { announcePullRequest } from "./announce-pull-request.js";
import { turnOff } from "./turn-off.js";
import type { Engine } from "./engine.js";
import type { Actor, DequeueReason, PullRequest } from "./model.js";
import { leaveQueue } from "./queue.js";
import type { RepositoryState } from "./state.js";
import { record } from "./timeline.js";

/** Closes it and takes it out of the queue (A43, quirk 40). */
export async function closePullRequest(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  actor: Actor,
  removal: DequeueReason,
): Promise<void> {
  pullRequest.state = "CLOSED";
  pullRequest.closedAt = engine.stamp();
  record(engine, state, pullRequest, actor, { type: "ClosedEvent" });
  await turnOff(engine, state, pullRequest, {
    actor,
    reason: "Pull request was closed",
    code: "PULL_REQUEST_CLOSED",
  });
  await leaveQueue(engine, state, pullRequest, removal);
  await announcePullRequest(engine, state, pullRequest, "closed", actor);
}
