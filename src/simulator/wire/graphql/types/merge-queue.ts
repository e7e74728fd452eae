/** Merge queues and their entries (github-facts 1.2). */
import type { Queue, Repository } from "../../../world/model.js";
import { seconds } from "../../../world/payloads/links.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { type Fields, Plain } from "../fields.js";
import {
  actorSource,
  commitSource,
  type EntrySource,
  pullRequestSource,
  type QueueSource,
} from "../sources.js";
import { secondsToMerge } from "./estimate.js";
import { page, resourcePath } from "./links.js";
import { queueEntrySource, queueSource } from "./queue-sources.js";

export const MergeQueue: Fields<QueueSource> = {
  id: ({ queue }) => queue.nodeId,
  url: ({ repository, queue }, _, context) => page(context, repository, pathOf(queue)),
  resourcePath: ({ repository, queue }) => resourcePath(repository, pathOf(queue)),
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  configuration: ({ repository, queue }, _, { world }) =>
    configuration(world.queue(repository, queue.branch)?.settings ?? null),
  entries: ({ repository, queue }, args: PageArgs) =>
    connection(queue.entries, args, (entry) => queueEntrySource(repository, queue, entry)),
  nextEntryEstimatedTimeToMerge: ({ repository, queue }, _, context) => {
    const [next] = queue.entries;
    return next === undefined ? null : estimate(context, repository, queue, next.enqueuedAt);
  },
};

type Settings = NonNullable<ReturnType<GraphqlContext["world"]["queue"]>>["settings"];

function configuration(settings: Settings | null): Plain | null {
  if (settings === null) return null;
  return new Plain({
    checkResponseTimeout: settings.checkResponseTimeoutMinutes,
    mergingStrategy: settings.groupingStrategy,
    maximumEntriesToBuild: settings.maxEntriesToBuild,
    maximumEntriesToMerge: settings.maxEntriesToMerge,
    mergeMethod: settings.mergeMethod,
    minimumEntriesToMerge: settings.minEntriesToMerge,
    minimumEntriesToMergeWaitTime: settings.minEntriesToMergeWaitMinutes,
  });
}

export const MergeQueueEntry: Fields<EntrySource> = {
  id: ({ entry }) => entry.nodeId,
  state: ({ entry }) => entry.state,
  position: ({ entry }) => entry.position,
  enqueuedAt: ({ entry }) => seconds(entry.enqueuedAt),
  enqueuer: ({ entry }) => actorSource(entry.enqueuer),
  estimatedTimeToMerge: ({ repository, queue, entry }, _, context) =>
    estimate(context, repository, queue, entry.enqueuedAt),
  baseCommit: ({ repository, entry }) => commitSource(repository, entry.group?.baseSha ?? null),
  headCommit: ({ repository, entry }) => commitSource(repository, entry.group?.headSha ?? null),
  jump: ({ entry }) => entry.jump,
  solo: ({ entry }) => entry.solo,
  mergeQueue: ({ repository, queue }, _, context) => queueSource(context, repository, queue.branch),
  pullRequest: ({ repository, entry }, _, context) => {
    context.require("pull_requests", "read");
    return pullRequestSource(repository, context.view(repository, entry.pullRequest));
  },
};

function estimate(
  { world }: GraphqlContext,
  repository: Repository,
  queue: Queue,
  enqueuedAt: string,
): number | null {
  const waited = world.clock.now() - Date.parse(enqueuedAt);
  return secondsToMerge(world.pullRequests(repository), queue.branch, waited);
}

function pathOf({ branch }: Queue): string {
  return `/queue/${branch}`;
}
