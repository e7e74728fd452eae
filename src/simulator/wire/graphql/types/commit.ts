/** Commits, refs and comparisons. */
import type { Commit as GitCommit } from "../../../world/git-parse.js";
import { nodeId } from "../../../world/node-ids.js";
import { comparisonStatus } from "../../git/git-reads.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { notFound } from "../errors.js";
import { type Fields, Plain } from "../fields.js";
import {
  type CheckSuiteSource,
  commitSource,
  type CommitSource,
  type ComparisonSource,
  pullRequestSource,
  type RefSource,
} from "../sources.js";
import { gitActor } from "./actor.js";
import { page, resourcePath } from "./links.js";
import { orderedPullRequests, type PullRequestFilter, pullRequestsOf } from "./pull-requests.js";
import { rollupSource } from "./rollup.js";
import { rulesOf } from "./rules.js";

async function read(context: GraphqlContext, source: CommitSource): Promise<GitCommit> {
  const commit = await context.git.commit(source.repository, source.oid);
  if (commit === null) throw notFound(`a Commit with the oid '${source.oid}'`);
  return commit;
}

function part(pick: (commit: GitCommit, source: CommitSource) => unknown) {
  return async (source: CommitSource, _: never, context: GraphqlContext): Promise<unknown> =>
    pick(await read(context, source), source);
}

export const Commit: Fields<CommitSource> = {
  id: ({ repository, oid }) => nodeId("C", repository.id, oid),
  oid: ({ oid }) => oid,
  abbreviatedOid: ({ oid }) => oid.slice(0, 7),
  url: ({ repository, oid }, _, context) => page(context, repository, `/commit/${oid}`),
  commitUrl: ({ repository, oid }, _, context) => page(context, repository, `/commit/${oid}`),
  resourcePath: ({ repository, oid }) => resourcePath(repository, `/commit/${oid}`),
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  message: part(({ message }) => message),
  messageHeadline: part(({ message }) => message.split("\n")[0] ?? ""),
  messageBody: part(({ message }) => message.split("\n").slice(1).join("\n").trim()),
  authoredDate: part(({ author }) => author.date),
  committedDate: part(({ committer }) => committer.date),
  author: part(({ author }) => gitActor(author)),
  committer: part(({ committer }) => gitActor(committer)),
  tree: part(
    ({ tree }, { repository }) =>
      new Plain({
        oid: tree,
        id: nodeId("C", repository.id, tree),
        abbreviatedOid: tree.slice(0, 7),
      }),
  ),
  parents: async (source, args: PageArgs, context) => {
    const { parents } = await read(context, source);
    return connection(parents, args, (oid) => commitSource(source.repository, oid));
  },
  statusCheckRollup: ({ repository, oid }, _, context) => rollupSource(context, repository, oid),
  checkSuites: (
    { repository, oid },
    args: PageArgs & { filterBy?: { appId?: number | null; checkName?: string | null } | null },
    context,
  ) => {
    context.require("checks", "read");
    const { appId, checkName } = args.filterBy ?? {};
    const runs = context.world.checkRuns(repository, oid);
    const suites = context.world
      .checkSuites(repository, oid)
      .filter((suite) => appId == null || suite.appId === appId)
      .filter(
        (suite) =>
          checkName == null ||
          runs.some((run) => run.suiteId === suite.id && run.name === checkName),
      );
    return connection(suites, args, (suite): CheckSuiteSource => ({
      __typename: "CheckSuite",
      repository,
      suite,
    }));
  },
  /** Heads and merges only: commits of groups are linked to nothing (quirk 25). */
  associatedPullRequests: ({ repository, oid }, args: PageArgs & PullRequestFilter, context) => {
    const found = pullRequestsOf(context, repository, args).filter(
      ({ pullRequest }) => pullRequest.headSha === oid || pullRequest.mergeCommit === oid,
    );
    return connection(orderedPullRequests(found, args), args, (view) =>
      pullRequestSource(repository, view),
    );
  },
};

const HEADS = "refs/heads/";

export const Ref: Fields<RefSource> = {
  id: ({ repository, name }) => nodeId("REF", repository.id, name),
  name: ({ name }) => shortName(name),
  prefix: ({ name }) => name.slice(0, name.length - shortName(name).length),
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  target: async ({ repository, name }, _, context) =>
    commitSource(repository, await context.ref(repository, name)),
  compare: async ({ repository, name }, { headRef }: { headRef: string }, context) => {
    const [base, head] = await Promise.all([
      context.ref(repository, name),
      context.git.resolve(repository, headRef),
    ]);
    if (base === null || head === null)
      throw notFound(`a Ref or Commit with the name '${headRef}'`);
    return { __typename: "Comparison", repository, base, head };
  },
  rules: ({ repository, name }, args: PageArgs, { world }) => {
    const { rulesets } = world.branchRules(repository, shortName(name));
    return connection(
      rulesets.flatMap((ruleset) => rulesOf(repository, ruleset)),
      args,
      (rule) => rule,
    );
  },
  /** Classic protection does not exist here; rulesets do. */
  branchProtectionRule: () => null,
  associatedPullRequests: ({ repository, name }, args: PageArgs & PullRequestFilter, context) => {
    const found = pullRequestsOf(context, repository, { ...args, headRefName: shortName(name) });
    return connection(orderedPullRequests(found, args), args, (view) =>
      pullRequestSource(repository, view),
    );
  },
};

function shortName(name: string): string {
  return name.startsWith(HEADS) ? name.slice(HEADS.length) : name.replace(/^refs\/[^/]+\//, "");
}

function compared(context: GraphqlContext, { repository, base, head }: ComparisonSource) {
  return context.git.compare(repository, base, head);
}

export const Comparison: Fields<ComparisonSource> = {
  id: ({ repository, base, head }) => nodeId("C", repository.id, base, head),
  status: async (source, _, context) =>
    comparisonStatus(await compared(context, source)).toUpperCase(),
  aheadBy: async (source, _, context) => (await compared(context, source)).ahead,
  behindBy: async (source, _, context) => (await compared(context, source)).behind,
  baseTarget: ({ repository, base }) => commitSource(repository, base),
  headTarget: ({ repository, head }) => commitSource(repository, head),
  commits: async ({ repository, base, head }, args: PageArgs, context) => {
    const commits = await context.git.commitsBetween(repository, base, head);
    return connection(commits, args, ({ sha }) => commitSource(repository, sha));
  },
};
