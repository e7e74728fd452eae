/** Pull requests as GraphQL shows them (github-facts 1.1). */
import type { ChangedFile } from "../../../world/git-parse.js";
import type { AutoMerge, Repository } from "../../../world/model.js";
import { seconds } from "../../../world/payloads/links.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { type Fields, Plain } from "../fields.js";
import {
  actorSource,
  commitSource,
  type PullRequestSource,
  pullRequestSource,
  refSource,
} from "../sources.js";
import { ownerSource } from "./actor.js";
import { page, resourcePath } from "./links.js";
import { queueEntrySource, queueSource } from "./queue-sources.js";
import { rollupSource } from "./rollup.js";
import { timelineItems } from "./timeline.js";

type Source = PullRequestSource;

/** The head's repository; null when it is gone or not ours to see. */
function headRepository(source: Source, context: GraphqlContext): Repository | null {
  const { headRepository: full } = source.view.pullRequest;
  const own = `${source.repository.owner}/${source.repository.name}`;
  if (full === own) return source.repository;
  const [owner = "", name = ""] = full.split("/");
  return context.repository(owner, name);
}

function isCross({ repository, view }: Source): boolean {
  return view.pullRequest.headRepository !== `${repository.owner}/${repository.name}`;
}

async function changedFiles(source: Source, context: GraphqlContext): Promise<ChangedFile[]> {
  const { baseSha, headSha } = source.view.pullRequest;
  return context.git.changedFiles(source.repository, baseSha, headSha);
}

async function sum(source: Source, context: GraphqlContext, key: "additions" | "deletions") {
  return (await changedFiles(source, context)).reduce((total, file) => total + file[key], 0);
}

const identity: Fields<Source> = {
  id: ({ view }) => view.pullRequest.nodeId,
  databaseId: ({ view }) => view.pullRequest.id,
  fullDatabaseId: ({ view }) => String(view.pullRequest.id),
  number: ({ view }) => view.pullRequest.number,
  url: (source, _, context) => page(context, source.repository, pathOf(source)),
  permalink: (source, _, context) => page(context, source.repository, pathOf(source)),
  resourcePath: (source) => resourcePath(source.repository, pathOf(source)),
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  title: ({ view }) => view.pullRequest.title,
  body: ({ view }) => view.pullRequest.body,
  bodyText: ({ view }) => view.pullRequest.body,
  author: ({ view }) => actorSource(view.pullRequest.author),
  createdAt: ({ view }) => seconds(view.pullRequest.createdAt),
  updatedAt: ({ view }) => seconds(view.pullRequest.updatedAt),
};

const life: Fields<Source> = {
  state: ({ view }) => view.pullRequest.state,
  isDraft: ({ view }) => view.pullRequest.isDraft,
  closed: ({ view }) => view.pullRequest.state !== "OPEN",
  closedAt: ({ view }) => seconds(view.pullRequest.closedAt),
  merged: ({ view }) => view.pullRequest.state === "MERGED",
  mergedAt: ({ view }) => seconds(view.pullRequest.mergedAt),
  mergedBy: ({ view }) => {
    const { mergedBy } = view.pullRequest;
    return mergedBy === null ? null : actorSource(mergedBy);
  },
  mergeCommit: ({ repository, view }) => commitSource(repository, view.pullRequest.mergeCommit),
  timelineItems: (source, args: never, context) => timelineItems(source, args, context),
  reviewDecision: ({ repository, view }, _, { world }) => {
    const { requiredApprovals } = world.branchRules(repository, view.pullRequest.baseBranch);
    if (requiredApprovals === 0) return null;
    const approvals = new Set(view.pullRequest.approvals.map(({ login }) => login)).size;
    return approvals >= requiredApprovals ? "APPROVED" : "REVIEW_REQUIRED";
  },
};

const branches: Fields<Source> = {
  headRefOid: ({ view }) => view.pullRequest.headSha,
  headRefName: ({ view }) => view.pullRequest.headBranch,
  headRef: (source, _, context) => {
    const repository = headRepository(source, context);
    const { headBranch, headBranchExists } = source.view.pullRequest;
    return repository === null || !headBranchExists ? null : refSource(repository, headBranch);
  },
  headRepository: (source, _, context) => {
    const repository = headRepository(source, context);
    return repository === null ? null : { __typename: "Repository", repository };
  },
  headRepositoryOwner: (source, _, context) => {
    const repository = headRepository(source, context);
    return repository === null ? null : ownerSource(repository);
  },
  baseRefOid: ({ view }) => view.pullRequest.baseSha,
  baseRefName: ({ view }) => view.pullRequest.baseBranch,
  baseRef: async ({ repository, view }, _, context) => {
    const source = refSource(repository, view.pullRequest.baseBranch);
    return (await context.ref(repository, source.name)) === null ? null : source;
  },
  baseRepository: ({ repository }) => ({ __typename: "Repository", repository }),
  isCrossRepository: (source) => isCross(source),
  maintainerCanModify: ({ view }) => view.pullRequest.maintainerCanModify,
};

const merging: Fields<Source> = {
  mergeable: async ({ repository, view }, _, context) =>
    (await context.mergeability(repository, view)).mergeable,
  mergeStateStatus: async ({ repository, view }, _, context) =>
    (await context.mergeability(repository, view)).mergeStateStatus,
  potentialMergeCommit: async ({ repository, view }, _, context) =>
    commitSource(repository, (await context.mergeability(repository, view)).potentialMergeCommit),
  isInMergeQueue: ({ view }) => view.entry !== null,
  isMergeQueueEnabled: ({ repository, view }, _, { world }) =>
    world.branchRules(repository, view.pullRequest.baseBranch).mergeQueue !== null,
  mergeQueue: ({ repository, view }, _, context) =>
    queueSource(context, repository, view.pullRequest.baseBranch),
  mergeQueueEntry: ({ repository, view }, _, context) => {
    const queue = queueSource(context, repository, view.pullRequest.baseBranch)?.queue;
    return view.entry === null || queue === undefined
      ? null
      : queueEntrySource(repository, queue, view.entry);
  },
  autoMergeRequest: (source) => {
    const { autoMerge } = source.view.pullRequest;
    return autoMerge === null ? null : autoMergeRequest(source, autoMerge);
  },
};

/** Message and method are the queue's to decide, so nobody sets them here. */
function autoMergeRequest(source: Source, autoMerge: AutoMerge): Plain {
  return new Plain({
    enabledAt: seconds(autoMerge.enabledAt),
    enabledBy: actorSource(autoMerge.enabledBy),
    mergeMethod: autoMerge.mergeMethod,
    pullRequest: source,
    authorEmail: null,
    commitBody: null,
    commitHeadline: null,
  });
}

const PATCH_STATUS: Record<ChangedFile["status"], string> = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
  copied: "COPIED",
  changed: "CHANGED",
};

const content: Fields<Source> = {
  changedFiles: async (source, _, context) => (await changedFiles(source, context)).length,
  additions: (source, _, context) => sum(source, context, "additions"),
  deletions: (source, _, context) => sum(source, context, "deletions"),
  files: async (source, args: PageArgs, context) =>
    connection(
      await changedFiles(source, context),
      args,
      (file) =>
        new Plain({
          path: file.path,
          changeType: PATCH_STATUS[file.status],
          additions: file.additions,
          deletions: file.deletions,
          viewerViewedState: "UNVIEWED",
        }),
    ),
  commits: async (source, args: PageArgs, context) => {
    const { repository, view } = source;
    const { baseSha, headSha } = view.pullRequest;
    const commits = await context.git.commitsBetween(repository, baseSha, headSha);
    return connection(
      commits,
      args,
      ({ sha }) =>
        new Plain({
          commit: commitSource(repository, sha),
          pullRequest: pullRequestSource(repository, view),
        }),
    );
  },
  statusCheckRollup: ({ repository, view }, _, context) =>
    rollupSource(context, repository, view.pullRequest.headSha),
};

export const PullRequest: Fields<Source> = {
  ...identity,
  ...life,
  ...branches,
  ...merging,
  ...content,
};

function pathOf({ view }: Source): string {
  return `/pull/${view.pullRequest.number}`;
}
