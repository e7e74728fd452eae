/** Entering and leaving a merge queue. */
import { QUEUE_BOT, mayWrite } from "./actors.js";
import { announcePullRequest } from "./announce-pull-request.js";
import type { Engine } from "./engine.js";
import { destroyGroup } from "./groups.js";
import type { Actor, DequeueReason, PullRequest, Queue, QueueEntry, Repository } from "./model.js";
import { nodeId } from "./node-ids.js";
import { requirePullRequest } from "./pull-request-of.js";
import { queueOf } from "./queue-view.js";
import { unmetRequirements } from "./readiness.js";
import { Refusal, unprocessable } from "./refusal.js";
import type { EnqueuePullRequest } from "./requests.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";
import { record, REMOVAL_WORDS } from "./timeline.js";

/**
 * Tries at once (github-facts 1.3). The setting for auto-merge does not matter.
 *
 * @throws Refusal UNPROCESSABLE without a queue, when already queued, when the head is not
 *   `expectedHeadOid`, and with every requirement that is not met.
 */
export async function enqueue(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: EnqueuePullRequest,
): Promise<QueueEntry> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (!mayWrite(engine, ask.actor))
    throw new Refusal(
      "FORBIDDEN",
      `${ask.actor.login} does not have the correct permissions to execute \`EnqueuePullRequest\``,
    );
  if (branchRules(repository, pullRequest.baseBranch).mergeQueue === null)
    throw unprocessable("A merge queue is not enabled for this branch");
  if (entryOf(state, number) !== null)
    throw unprocessable("Pull request is already in the merge queue");
  if (ask.expectedHeadOid !== undefined && ask.expectedHeadOid !== pullRequest.headSha)
    throw unprocessable("Head branch was modified. Review and try the merge again.");
  const unmet = await unmetRequirements(engine, state, pullRequest);
  if (unmet.length > 0) throw unprocessable(unmet.join("\n"));
  return addEntry(engine, state, pullRequest, { actor: ask.actor, jump: ask.jump ?? false });
}

/** Puts a pull request that meets its requirements into its queue. */
export async function addEntry(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  ask: { readonly actor: Actor; readonly jump: boolean },
): Promise<QueueEntry> {
  const queue = queueOf(state, pullRequest.baseBranch);
  const id = engine.nextId();
  const entry: QueueEntry = {
    id,
    nodeId: nodeId("MQE", state.repository.id, id),
    pullRequest: pullRequest.number,
    state: "QUEUED",
    enqueuedAt: engine.stamp(),
    enqueuer: ask.actor,
    jump: ask.jump,
    solo: false,
    headSha: pullRequest.headSha,
    group: null,
    conflictsWith: null,
  };
  if (ask.jump) queue.entries.unshift(entry);
  else queue.entries.push(entry);
  // Armed or not, a queued pull request shows no auto-merge request (quirk 4).
  pullRequest.autoMerge = null;
  record(engine, state, pullRequest, ask.actor, { type: "AddedToMergeQueueEvent" });
  await announcePullRequest(engine, state, pullRequest, "enqueued", ask.actor);
  return entry;
}

/** @throws Refusal UNPROCESSABLE when it is in no queue. */
export async function dequeue(
  engine: Engine,
  repository: Repository,
  number: number,
  actor: Actor,
): Promise<QueueEntry> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (!mayWrite(engine, actor))
    throw new Refusal(
      "FORBIDDEN",
      `${actor.login} does not have the correct permissions to execute \`DequeuePullRequest\``,
    );
  const found = entryOf(state, number);
  if (found === null) throw unprocessable("Pull request is not in the merge queue");
  await leaveQueue(engine, state, pullRequest, "MANUAL", actor);
  return found.entry;
}

export async function removeByAdmin(
  engine: Engine,
  repository: Repository,
  number: number,
  reason: DequeueReason,
): Promise<void> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (entryOf(state, number) === null)
    throw unprocessable("Pull request is not in the merge queue");
  await leaveQueue(engine, state, pullRequest, reason, QUEUE_BOT);
}

export function entryOf(
  state: RepositoryState,
  number: number,
): { readonly queue: Queue; readonly entry: QueueEntry } | null {
  for (const queue of state.queues) {
    const entry = queue.entries.find((one) => one.pullRequest === number);
    if (entry !== undefined) return { queue, entry };
  }
  return null;
}

/**
 * Takes a pull request out of its queue, if it is in one: entry, group, timeline event, webhook. Those
 * behind are rebuilt by the next pass. Fires on success too, by the same bot (A01, quirk 22).
 */
export async function leaveQueue(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  reason: DequeueReason,
  actor: Actor = QUEUE_BOT,
): Promise<void> {
  const found = entryOf(state, pullRequest.number);
  if (found === null) return;
  const { queue, entry } = found;
  const beforeCommit = entry.group?.headSha ?? null;
  queue.entries.splice(queue.entries.indexOf(entry), 1);
  await destroyGroup(engine, state, queue, entry, reason === "MERGE" ? "merged" : "dequeued");
  record(engine, state, pullRequest, actor, {
    type: "RemovedFromMergeQueueEvent",
    reason: REMOVAL_WORDS[reason],
    beforeCommit,
  });
  await announcePullRequest(engine, state, pullRequest, "dequeued", actor, { reason });
}
