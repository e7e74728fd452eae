/** Queues and entries as sources. */
import type { Queue, QueueEntry, Repository } from "../../../world/model.js";
import type { GraphqlContext } from "../context.js";
import type { EntrySource, QueueSource } from "../sources.js";

export function queueSource(
  context: GraphqlContext,
  repository: Repository,
  branch: string,
): QueueSource | null {
  const view = context.world.queue(repository, branch);
  return view === null ? null : { __typename: "MergeQueue", repository, queue: view.queue };
}

export function queueEntrySource(
  repository: Repository,
  queue: Queue,
  entry: QueueEntry & { readonly position?: number },
): EntrySource {
  const position = entry.position ?? queue.entries.findIndex(({ id }) => id === entry.id) + 1;
  return { __typename: "MergeQueueEntry", repository, queue, entry: { ...entry, position } };
}
