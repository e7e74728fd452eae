/** Mutations on pull requests and the queue (github-facts 1.3). */
import type { MergeMethod, PullRequest, Repository } from "../../../world/model.js";
import type { GraphqlContext } from "../context.js";
import { notFound } from "../errors.js";
import { type Fields, Plain } from "../fields.js";
import { actorSource, pullRequestSource } from "../sources.js";
import { rulesetMutations } from "./ruleset-mutations.js";
import { queueEntrySource } from "./queue-sources.js";

type Input<T> = { readonly input: T & { readonly clientMutationId?: string | null } };

interface Found {
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
}

/** @throws TypedError NOT_FOUND, FORBIDDEN. A person's rights are checked by the world. */
function pullRequestOf(context: GraphqlContext, id: string): Found {
  context.require("pull_requests", "write");
  const node = context.world.node(id);
  if (node?.kind !== "PullRequest" || !context.sees(node.repository))
    throw notFound(`a node with the global id of '${id}'`);
  return { repository: node.repository, pullRequest: node.value };
}

/** What merges or may merge also writes contents (github-facts 2.7). */
function mergingPullRequest(context: GraphqlContext, id: string): Found {
  context.require("contents", "write");
  return pullRequestOf(context, id);
}

/** What merging now and merging when ready are asked with. */
interface MergeInput {
  readonly pullRequestId: string;
  readonly expectedHeadOid?: string | null;
  readonly mergeMethod?: MergeMethod | null;
}

/** Leaves out what was not given, for the world tells absence from null. */
function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}

function shown(
  context: GraphqlContext,
  { repository, pullRequest }: Found,
  input: { readonly clientMutationId?: string | null },
  more: Readonly<Record<string, unknown>> = {},
): Plain {
  return new Plain({
    clientMutationId: input.clientMutationId ?? null,
    pullRequest: () => pullRequestSource(repository, context.view(repository, pullRequest.number)),
    actor: () => actorSource(context.request.principal.actor),
    ...more,
  });
}

const opening: Fields<undefined> = {
  createPullRequest: async (
    _,
    {
      input,
    }: Input<{
      repositoryId: string;
      baseRefName: string;
      headRefName: string;
      headRepositoryId?: string | null;
      title: string;
      body?: string | null;
      draft?: boolean | null;
      maintainerCanModify?: boolean | null;
    }>,
    context,
  ) => {
    context.require("pull_requests", "write");
    const repository = repositoryOf(context, input.repositoryId);
    const head =
      input.headRepositoryId == null ? null : repositoryOf(context, input.headRepositoryId);
    const { body, draft, maintainerCanModify } = input;
    const pullRequest = await context.world.createPullRequest(repository, {
      title: input.title,
      head: input.headRefName,
      base: input.baseRefName,
      actor: context.request.principal.actor,
      ...given({ body, draft, maintainerCanModify }),
      ...(head === null ? {} : { headRepository: `${head.owner}/${head.name}` }),
    });
    return shown(context, { repository, pullRequest }, input);
  },
  updatePullRequest: async (
    _,
    {
      input,
    }: Input<{
      pullRequestId: string;
      title?: string | null;
      body?: string | null;
      baseRefName?: string | null;
      state?: "OPEN" | "CLOSED" | null;
    }>,
    context,
  ) => {
    const found = pullRequestOf(context, input.pullRequestId);
    const { actor } = context.request.principal;
    const { number, state } = found.pullRequest;
    const edit = given({ title: input.title, body: input.body, base: input.baseRefName });
    if (Object.keys(edit).length > 0)
      await context.world.editPullRequest(found.repository, number, { ...edit, actor });
    if (input.state === "CLOSED" && state === "OPEN")
      await context.world.closePullRequest(found.repository, number, actor);
    if (input.state === "OPEN" && state !== "OPEN")
      await context.world.reopenPullRequest(found.repository, number, actor);
    return shown(context, found, input);
  },
  closePullRequest: onPullRequest((context, { repository, pullRequest }) =>
    context.world.closePullRequest(repository, pullRequest.number, context.request.principal.actor),
  ),
  reopenPullRequest: onPullRequest((context, { repository, pullRequest }) =>
    context.world.reopenPullRequest(
      repository,
      pullRequest.number,
      context.request.principal.actor,
    ),
  ),
  convertPullRequestToDraft: onPullRequest((context, { repository, pullRequest }) =>
    context.world.setDraft(repository, pullRequest.number, true, context.request.principal.actor),
  ),
  markPullRequestReadyForReview: onPullRequest((context, { repository, pullRequest }) =>
    context.world.setDraft(repository, pullRequest.number, false, context.request.principal.actor),
  ),
  updatePullRequestBranch: async (
    _,
    { input }: Input<{ pullRequestId: string; expectedHeadOid?: string | null }>,
    context,
  ) => {
    const found = mergingPullRequest(context, input.pullRequestId);
    await context.world.updatePullRequestBranch(found.repository, found.pullRequest.number, {
      actor: context.request.principal.actor,
      ...given({ expectedHeadOid: input.expectedHeadOid }),
    });
    return shown(context, found, input);
  },
};

/** A mutation whose input is the pull request alone. */
function onPullRequest(act: (context: GraphqlContext, found: Found) => Promise<unknown>) {
  return async (
    _: undefined,
    { input }: Input<{ pullRequestId: string }>,
    context: GraphqlContext,
  ): Promise<Plain> => {
    const found = pullRequestOf(context, input.pullRequestId);
    await act(context, found);
    return shown(context, found, input);
  };
}

const queueing: Fields<undefined> = {
  enqueuePullRequest: async (
    _,
    {
      input,
    }: Input<{ pullRequestId: string; expectedHeadOid?: string | null; jump?: boolean | null }>,
    context,
  ) => {
    const found = mergingPullRequest(context, input.pullRequestId);
    await context.world.enqueue(found.repository, found.pullRequest.number, {
      actor: context.request.principal.actor,
      ...given({ expectedHeadOid: input.expectedHeadOid, jump: input.jump }),
    });
    return new Plain({
      clientMutationId: input.clientMutationId ?? null,
      mergeQueueEntry: () => liveEntry(context, found),
    });
  },
  dequeuePullRequest: async (_, { input }: Input<{ id: string }>, context) => {
    const found = mergingPullRequest(context, input.id);
    const { repository, pullRequest } = found;
    const queue = context.world.queue(repository, pullRequest.baseBranch)?.queue;
    const { number } = pullRequest;
    const before = context.view(repository, number)?.entry ?? null;
    await context.world.dequeue(repository, number, context.request.principal.actor);
    return new Plain({
      clientMutationId: input.clientMutationId ?? null,
      mergeQueueEntry: () =>
        before === null || queue === undefined ? null : queueEntrySource(repository, queue, before),
    });
  },
  enablePullRequestAutoMerge: async (_, { input }: Input<MergeInput>, context) => {
    const found = mergingPullRequest(context, input.pullRequestId);
    await context.world.enableAutoMerge(found.repository, found.pullRequest.number, {
      actor: context.request.principal.actor,
      ...given({
        expectedHeadOid: input.expectedHeadOid,
        // MERGE is the schema's default: whoever names no method sends it too.
        mergeMethod: input.mergeMethod === "MERGE" ? null : input.mergeMethod,
      }),
    });
    return shown(context, found, input);
  },
  disablePullRequestAutoMerge: async (_, { input }: Input<{ pullRequestId: string }>, context) => {
    const found = mergingPullRequest(context, input.pullRequestId);
    const { actor } = context.request.principal;
    await context.world.disableAutoMerge(found.repository, found.pullRequest.number, actor);
    return shown(context, found, input);
  },
  mergePullRequest: async (_, { input }: Input<MergeInput>, context) => {
    const found = mergingPullRequest(context, input.pullRequestId);
    await context.world.mergePullRequest(found.repository, found.pullRequest.number, {
      actor: context.request.principal.actor,
      ...given({ expectedHeadOid: input.expectedHeadOid, mergeMethod: input.mergeMethod }),
    });
    return shown(context, found, input);
  },
};

/** Null when the entry has landed meanwhile, as one without required checks does. */
function liveEntry(context: GraphqlContext, { repository, pullRequest }: Found): unknown {
  const entry = context.view(repository, pullRequest.number)?.entry ?? null;
  const queue = context.world.queue(repository, pullRequest.baseBranch)?.queue;
  return entry === null || queue === undefined ? null : queueEntrySource(repository, queue, entry);
}

function repositoryOf(context: GraphqlContext, id: string): Repository {
  const node = context.world.node(id);
  if (node?.kind !== "Repository" || !context.sees(node.repository))
    throw notFound(`a node with the global id of '${id}'`);
  return node.repository;
}

export const Mutation: Fields<undefined> = { ...opening, ...queueing, ...rulesetMutations };
