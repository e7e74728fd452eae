/** Timelines of pull requests (github-facts 1.5). */
import type { TimelineEvent } from "../../../world/model.js";
import { nodeId } from "../../../world/node-ids.js";
import { seconds } from "../../../world/payloads/links.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { NotSimulated } from "../errors.js";
import type { Fields, Plain } from "../fields.js";
import {
  actorSource,
  commitSource,
  type EventSource,
  type PullRequestSource,
  refSource,
} from "../sources.js";
import { queueSource } from "./queue-sources.js";

/** Events the world records, by their name in `itemTypes`. */
const ITEM_TYPES: Readonly<Record<string, TimelineEvent["type"]>> = {
  ADDED_TO_MERGE_QUEUE_EVENT: "AddedToMergeQueueEvent",
  REMOVED_FROM_MERGE_QUEUE_EVENT: "RemovedFromMergeQueueEvent",
  AUTO_MERGE_ENABLED_EVENT: "AutoMergeEnabledEvent",
  AUTO_MERGE_DISABLED_EVENT: "AutoMergeDisabledEvent",
  MERGED_EVENT: "MergedEvent",
  CLOSED_EVENT: "ClosedEvent",
  REOPENED_EVENT: "ReopenedEvent",
  HEAD_REF_FORCE_PUSHED_EVENT: "HeadRefForcePushedEvent",
  HEAD_REF_DELETED_EVENT: "HeadRefDeletedEvent",
  BASE_REF_CHANGED_EVENT: "BaseRefChangedEvent",
};

interface TimelineArgs extends PageArgs {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
  readonly skip?: number | null;
}

export function timelineItems(
  { repository, view }: PullRequestSource,
  args: TimelineArgs,
  context: GraphqlContext,
): Plain {
  const wanted = args.itemTypes?.map((name) => itemType(context, name));
  const { timeline, updatedAt } = view.pullRequest;
  const found = timeline.filter(
    ({ type, createdAt }) =>
      (wanted?.includes(type) ?? true) &&
      (args.since == null || Date.parse(createdAt) >= Date.parse(args.since)),
  );
  const items = found.slice(args.skip ?? 0);
  const size = args.first ?? args.last ?? items.length;
  return connection(
    items,
    args,
    (event): EventSource => ({ __typename: event.type, repository, event, view }),
    {
      totalCount: timeline.length,
      filteredCount: found.length,
      pageCount: Math.min(size, items.length),
      updatedAt: seconds(updatedAt),
    },
  );
}

function itemType({ request }: GraphqlContext, name: string): TimelineEvent["type"] {
  const type = ITEM_TYPES[name];
  if (type !== undefined) return type;
  const what = `The timeline item type ${name}`;
  request.unexpected(`${what} is not simulated`);
  throw new NotSimulated(what);
}

type Of<T extends TimelineEvent["type"]> = EventSource & {
  readonly event: Extract<TimelineEvent, { type: T }>;
};

const common: Fields<EventSource> = {
  id: ({ repository, event }) => nodeId("REF", repository.id, "event", event.id),
  actor: ({ event }) => actorSource(event.actor),
  createdAt: ({ event }) => seconds(event.createdAt),
  pullRequest: ({ repository, view }) => ({ __typename: "PullRequest", repository, view }),
};

/** Typed `User`: an App cannot appear there, `actor` says who it was. */
const person = ({ event }: EventSource) =>
  event.actor.type === "User" ? actorSource(event.actor) : null;

const queue = ({ repository, view }: EventSource, _: never, context: GraphqlContext) =>
  queueSource(context, repository, view.pullRequest.baseBranch);

export const timelineTypes = {
  AddedToMergeQueueEvent: { ...common, enqueuer: person, mergeQueue: queue },
  RemovedFromMergeQueueEvent: {
    ...common,
    enqueuer: person,
    mergeQueue: queue,
    reason: ({ event }: Of<"RemovedFromMergeQueueEvent">) => event.reason,
    beforeCommit: ({ repository, event }: Of<"RemovedFromMergeQueueEvent">) =>
      commitSource(repository, event.beforeCommit),
  },
  AutoMergeEnabledEvent: { ...common, enabler: person },
  AutoMergeDisabledEvent: {
    ...common,
    disabler: person,
    reason: ({ event }: Of<"AutoMergeDisabledEvent">) => event.reason,
    reasonCode: ({ event }: Of<"AutoMergeDisabledEvent">) => event.reasonCode,
  },
  MergedEvent: {
    ...common,
    commit: ({ repository, event }: Of<"MergedEvent">) => commitSource(repository, event.commit),
    mergeRefName: ({ event }: Of<"MergedEvent">) => event.mergeRefName,
    mergeRef: async (
      { repository, event }: Of<"MergedEvent">,
      _: never,
      context: GraphqlContext,
    ) => {
      const source = refSource(repository, event.mergeRefName);
      return (await context.ref(repository, source.name)) === null ? null : source;
    },
  },
  ClosedEvent: common,
  ReopenedEvent: common,
  HeadRefForcePushedEvent: {
    ...common,
    beforeCommit: ({ repository, event }: Of<"HeadRefForcePushedEvent">) =>
      commitSource(repository, event.before),
    afterCommit: ({ repository, event }: Of<"HeadRefForcePushedEvent">) =>
      commitSource(repository, event.after),
  },
  HeadRefDeletedEvent: {
    ...common,
    headRefName: ({ event }: Of<"HeadRefDeletedEvent">) => event.headRefName,
  },
  BaseRefChangedEvent: {
    ...common,
    previousRefName: ({ event }: Of<"BaseRefChangedEvent">) => event.previous,
    currentRefName: ({ event }: Of<"BaseRefChangedEvent">) => event.current,
  },
};
