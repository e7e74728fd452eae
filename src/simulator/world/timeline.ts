/** Timeline events, and the timeline's own words for removals from the queue. */
import type { Engine } from "./engine.js";
import type { Actor, DequeueReason, PullRequest, TimelineEvent } from "./model.js";
import type { RepositoryState } from "./state.js";

type EventBody<T = TimelineEvent> = T extends TimelineEvent
  ? Omit<T, "id" | "createdAt" | "actor">
  : never;

/** Adds an event and marks the pull request as updated. */
export function record(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  actor: Actor,
  body: EventBody,
): void {
  const event = { id: engine.nextId(), createdAt: engine.stamp(), actor, ...body } as TimelineEvent;
  pullRequest.timeline.push(event);
  touched(engine, state, pullRequest);
}

export function touched(engine: Engine, state: RepositoryState, pullRequest: PullRequest): void {
  pullRequest.updatedAt = engine.stamp();
  engine.changed(state, pullRequest);
}

/**
 * The timeline has words of its own for what the webhook's `reason` says. Public reports quote
 * `failed_checks` only (github-facts 1.5, 6.2); the others are in its manner.
 */
export const REMOVAL_WORDS: Record<DequeueReason, string> = {
  UNKNOWN_REMOVAL_REASON: "unknown",
  MANUAL: "manual",
  MERGE: "merged",
  MERGE_CONFLICT: "merge_conflict",
  CI_FAILURE: "failed_checks",
  CI_TIMEOUT: "checks_timed_out",
  ALREADY_MERGED: "already_merged",
  QUEUE_CLEARED: "queue_cleared",
  ROLL_BACK: "roll_back",
  BRANCH_PROTECTIONS: "branch_protections",
  GIT_TREE_INVALID: "git_tree_invalid",
  INVALID_MERGE_COMMIT: "invalid_merge_commit",
};
