/** The roots of queries. */
import { seconds } from "../../../world/payloads/links.js";
import type { WorldNode } from "../../../world/nodes.js";
import type { GraphqlContext } from "../context.js";
import { notFound, NotSimulated, TypedError } from "../errors.js";
import { type Fields, Plain } from "../fields.js";
import { actorSource, commitSource, pullRequestSource } from "../sources.js";
import { queueEntrySource } from "./queue-sources.js";

const MOST_IDS = 100;

export const Query: Fields<undefined> = {
  rateLimit: (_, args: { dryRun?: boolean | null }, context) => rateLimit(context, args),
  viewer: (_, _args: object, { request }) => ({
    __typename: "User",
    actor: request.principal.actor,
  }),
  user: (_, { login }: { login: string }, { world }) => {
    const user = world.users().find((one) => one.login.toLowerCase() === login.toLowerCase());
    return user === undefined ? notFound(`a User with the login of '${login}'`) : actorSource(user);
  },
  repository: (_, { owner, name }: { owner: string; name: string }, context) => {
    const repository = context.repository(owner, name);
    if (repository === null) throw notFound(`a Repository with the name '${owner}/${name}'`);
    return { __typename: "Repository", repository };
  },
  node: (_, { id }: { id: string }, context) => node(context, id),
  nodes: (_, { ids }: { ids: readonly string[] }, context) => {
    if (ids.length > MOST_IDS)
      throw new TypedError(
        "ARGUMENT_LIMIT",
        `You may not provide more than ${MOST_IDS} node ids; you provided ${ids.length}.`,
      );
    return ids.map((id) => node(context, id));
  },
};

function rateLimit({ request }: GraphqlContext, { dryRun }: { dryRun?: boolean | null }): Plain {
  const { budget, cost } = request;
  if (dryRun === true) {
    request.unexpected("rateLimit(dryRun: true) is not simulated");
    throw new NotSimulated("rateLimit(dryRun: true)");
  }
  return new Plain({
    cost: cost.points,
    limit: budget.limit,
    nodeCount: cost.nodes,
    remaining: budget.remaining,
    used: budget.used,
    resetAt: seconds(new Date(budget.reset * 1000).toISOString()),
  });
}

/** What an App's token needs to read a kind of node; a repository it sees needs nothing more. */
const READ_BY: Readonly<Record<Exclude<WorldNode["kind"], "Repository">, string>> = {
  PullRequest: "pull_requests",
  RepositoryRuleset: "metadata",
  MergeQueue: "pull_requests",
  MergeQueueEntry: "pull_requests",
  CheckSuite: "checks",
  CheckRun: "checks",
  StatusContext: "statuses",
  WorkflowRun: "actions",
  Commit: "contents",
};

/**
 * The thing of a node id. Where there is none, or none for this token, an error of its own: the others of a list remain
 * (quirk 36).
 */
async function node(context: GraphqlContext, id: string): Promise<unknown> {
  const found = context.world.node(id);
  const missing = notFound(`a node with the global id of '${id}'`);
  if (found === null || !context.sees(found.repository)) throw missing;
  if (found.kind !== "Repository") context.require(READ_BY[found.kind], "read");
  const source = await sourceOf(context, found);
  if (source === null) throw missing;
  return source;
}

function sourceOf(context: GraphqlContext, found: WorldNode): unknown {
  const { repository } = found;
  switch (found.kind) {
    case "Repository":
      return { __typename: "Repository", repository };
    case "PullRequest":
      return pullRequestSource(repository, context.view(repository, found.value.number));
    case "RepositoryRuleset":
      return { __typename: "RepositoryRuleset", repository, ruleset: found.value };
    case "MergeQueue":
      return { __typename: "MergeQueue", repository, queue: found.value };
    case "MergeQueueEntry":
      return queueEntrySource(repository, found.queue, found.value);
    case "CheckSuite":
      return { __typename: "CheckSuite", repository, suite: found.value };
    case "CheckRun":
      return { __typename: "CheckRun", repository, run: found.value };
    case "StatusContext":
      return { __typename: "StatusContext", repository, status: found.value };
    case "WorkflowRun":
      return { __typename: "WorkflowRun", repository, run: found.value };
    case "Commit":
      return existingCommit(context, found);
  }
}

async function existingCommit(
  context: GraphqlContext,
  { repository, value }: Extract<WorldNode, { kind: "Commit" }>,
): Promise<unknown> {
  const commit = await context.git.commit(repository, value.oid);
  return commit === null ? null : commitSource(repository, commit.sha);
}
