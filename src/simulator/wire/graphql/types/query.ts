/** The roots of queries. */
import { seconds } from "../../../world/payloads/links.js";
import type { WorldNode } from "../../../world/nodes.js";
import type { GraphqlContext } from "../context.js";
import { notFound, NotSimulated } from "../errors.js";
import { type Fields, Plain } from "../fields.js";
import { actorSource, commitSource, pullRequestSource } from "../sources.js";
import { queueEntrySource } from "./queue-sources.js";

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
  nodes: (_, { ids }: { ids: readonly string[] }, context) => ids.map((id) => node(context, id)),
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

/** The thing of a node id; an error value where there is none, so that the others of a list remain. */
export function node(context: GraphqlContext, id: string): unknown {
  const found = context.world.node(id);
  const missing = notFound(`a node with the global id of '${id}'`);
  if (found === null || !context.sees(found.repository)) return missing;
  return sourceOf(context, found) ?? missing;
}

function sourceOf(context: GraphqlContext, found: WorldNode): unknown {
  const { repository } = found;
  switch (found.kind) {
    case "Repository":
      return { __typename: "Repository", repository };
    case "PullRequest":
      return pullRequestSource(repository, context.view(repository, found.value.number));
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
