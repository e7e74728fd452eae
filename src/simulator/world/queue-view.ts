/** A queue as a reader sees it. */
import type { Engine } from "./engine.js";
import type { Queue, QueueEntryView, QueueSettings, Repository } from "./model.js";
import { nodeId } from "./node-ids.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

export interface QueueView {
  readonly queue: Queue;
  readonly settings: QueueSettings;
  /** In order; `position` counts from 1. */
  readonly entries: readonly QueueEntryView[];
}

export function queueView(
  engine: Engine,
  repository: Repository,
  branch: string,
): QueueView | null {
  const settings = branchRules(repository, branch).mergeQueue;
  if (settings === null) return null;
  const queue = queueOf(engine.repositoryState(repository), branch);
  return {
    queue,
    settings,
    entries: queue.entries.map((entry, index) => ({ ...entry, position: index + 1 })),
  };
}

/** The queue of a branch, made when first asked for. */
export function queueOf(state: RepositoryState, branch: string): Queue {
  const known = state.queues.find((queue) => queue.branch === branch);
  if (known !== undefined) return known;
  const queue: Queue = {
    branch,
    nodeId: nodeId("MQ", state.repository.id, branch),
    entries: [],
    landedAs: {},
  };
  state.queues.push(queue);
  return queue;
}
