/** Repositories: settings, refs, objects, rulesets, and the ways to pull requests and queues. */
import type { PullRequestView, Repository as Model } from "../../../world/model.js";
import { seconds } from "../../../world/payloads/links.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { notFound } from "../errors.js";
import type { Fields } from "../fields.js";
import { pullRequestSource, type RepositorySource } from "../sources.js";
import { ownerSource } from "./actor.js";
import { gitObject } from "./git-object.js";
import { page, resourcePath } from "./links.js";
import { queueSource } from "./queue-sources.js";
import { orderedPullRequests, type PullRequestFilter, pullRequestsOf } from "./pull-requests.js";

export const Repository: Fields<RepositorySource> = {
  id: ({ repository }) => repository.nodeId,
  databaseId: ({ repository }) => repository.id,
  name: ({ repository }) => repository.name,
  nameWithOwner: ({ repository }) => `${repository.owner}/${repository.name}`,
  owner: ({ repository }) => ownerSource(repository),
  url: ({ repository }, _, context) => page(context, repository, ""),
  resourcePath: ({ repository }) => resourcePath(repository, ""),
  isPrivate: ({ repository }) => repository.private,
  visibility: ({ repository }) => (repository.private ? "PRIVATE" : "PUBLIC"),
  isFork: ({ repository }) => repository.forkOf !== null,
  isInOrganization: ({ repository }) => repository.ownerType === "Organization",
  createdAt: ({ repository }) => seconds(repository.createdAt),
  autoMergeAllowed: ({ repository }) => repository.autoMergeAllowed,
  mergeCommitAllowed: ({ repository }) => repository.mergeCommitAllowed,
  squashMergeAllowed: ({ repository }) => repository.squashMergeAllowed,
  rebaseMergeAllowed: ({ repository }) => repository.rebaseMergeAllowed,
  deleteBranchOnMerge: ({ repository }) => repository.deleteBranchOnMerge,
  defaultBranchRef: ({ repository }, _, context) =>
    existingRef(context, repository, `refs/heads/${repository.defaultBranch}`),
  ref: ({ repository }, { qualifiedName }: { qualifiedName: string }, context) =>
    existingRef(context, repository, fullName(qualifiedName)),
  refs: async (
    { repository },
    args: PageArgs & { refPrefix: string; query?: string | null },
    context,
  ) => {
    const refs = await context.world.git(repository).refs(args.refPrefix);
    const found = refs.filter(({ name }) =>
      name.slice(args.refPrefix.length).includes(args.query ?? ""),
    );
    return connection(found, args, ({ name }) => ({ __typename: "Ref", repository, name }));
  },
  object: ({ repository }, args: { expression?: string | null; oid?: string | null }, context) =>
    gitObject(context, repository, args.oid ?? args.expression ?? ""),
  pullRequest: ({ repository }, { number }: { number: number }, context) => {
    context.require("pull_requests", "read");
    const view = context.view(repository, number);
    if (view === null) throw notFound(`a PullRequest with the number of ${number}`);
    return pullRequestSource(repository, view);
  },
  pullRequests: ({ repository }, args: PageArgs & PullRequestFilter, context) => {
    context.require("pull_requests", "read");
    const found = orderedPullRequests(pullRequestsOf(context, repository, args), args);
    return connection(found, args, (view: PullRequestView) => pullRequestSource(repository, view));
  },
  mergeQueue: ({ repository }, { branch }: { branch?: string | null }, context) =>
    queueSource(context, repository, branch ?? repository.defaultBranch),
  ruleset: ({ repository }, { databaseId }: { databaseId: number }) => {
    const ruleset = repository.rulesets.find((one) => one.id === databaseId);
    return ruleset === undefined ? null : { __typename: "RepositoryRuleset", repository, ruleset };
  },
  rulesets: ({ repository }, args: PageArgs & { targets?: readonly string[] | null }) => {
    const found = repository.rulesets.filter(
      ({ target }) => args.targets?.includes(target.toUpperCase()) ?? true,
    );
    return connection(found, args, (ruleset) => ({
      __typename: "RepositoryRuleset",
      repository,
      ruleset,
    }));
  },
  parent: ({ repository }, _, context) => {
    const [owner = "", name = ""] = repository.forkOf?.split("/") ?? [];
    const parent = context.repository(owner, name);
    return parent === null ? null : { __typename: "Repository", repository: parent };
  },
};

async function existingRef(
  context: GraphqlContext,
  repository: Model,
  name: string,
): Promise<unknown> {
  const oid = await context.ref(repository, name);
  return oid === null ? null : { __typename: "Ref", repository, name };
}

/** `main`, `heads/main` and `refs/heads/main` name one ref. */
function fullName(name: string): string {
  if (name.startsWith("refs/")) return name;
  return /^(heads|tags)\//.test(name) ? `refs/${name}` : `refs/heads/${name}`;
}
