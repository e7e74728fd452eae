/** What a landing starts from: the repository, the branch, its pull request, and the queue (A1.2, A1.3). */
import { z } from "zod";

import type { GraphqlError } from "./faults.js";
import { gateFields, gateReading, gateVariables, underGate } from "./gate.js";
import { readPullRequest } from "./observation.js";
import {
  GitHubError,
  type LandingTarget,
  type RepositoryFacts,
  type RepositoryRef,
} from "./port.js";
import { branchRef } from "./branch-ref.js";
import * as queries from "./queries.js";
import { errorsUnder, readWhole } from "./read.js";
import type { Transport } from "./transport.js";

const method = z.enum(["MERGE", "SQUASH", "REBASE"]).nullable();
const configuration = z.object({ mergeMethod: method }).nullable();
const ref = z.object({ target: z.object({ oid: z.string() }).nullable() }).nullable();

const factsShape = z.object({
  viewer: z.object({ login: z.string() }),
  repository: z.object({
    databaseId: z.int(),
    id: z.string(),
    autoMergeAllowed: z.boolean(),
    defaultBranchRef: z.object({ name: z.string() }).nullable(),
    ref,
    mergeQueue: z.object({ url: z.string(), configuration }).nullable(),
  }),
});

/** Raises `no_access` for a repository that is gone or not ours to see. One request. */
export async function readRepository(
  transport: Transport,
  repository: RepositoryRef,
  gateBranch: string,
): Promise<RepositoryFacts> {
  const { data } = await readWhole(
    transport,
    queries.repositoryFacts,
    { ...repository, gate: gateBranch, gateRef: branchRef(gateBranch) },
    factsShape,
  );
  const { viewer, repository: one } = data;
  return {
    id: one.databaseId,
    nodeId: one.id,
    // A repository without any commit has no default branch to name.
    defaultBranch: one.defaultBranchRef?.name ?? gateBranch,
    autoMergeAllowed: one.autoMergeAllowed,
    gateBranchHead: one.ref?.target?.oid ?? null,
    queue:
      one.mergeQueue === null
        ? null
        : {
            url: one.mergeQueue.url,
            mergeMethod: one.mergeQueue.configuration?.mergeMethod ?? null,
          },
    viewer: viewer.login,
  };
}

const targetFields = {
  id: z.string(),
  ref,
  mergeQueue: z.object({ configuration }).nullable(),
  ...gateFields,
};
const byBranchShape = z.object({
  repository: z.object({
    ...targetFields,
    pullRequests: z.object({ nodes: z.array(z.unknown()) }),
  }),
});
const byNumberShape = z.object({
  repository: z.object({ ...targetFields, pullRequest: z.unknown() }),
});

/**
 * Finds the pull request by its number, or the open one of the branch, else its newest. A fork's branch of the same
 * name is another branch. Unreadable queue membership is told in the observation; any other gap raises. One request.
 */
export async function readLandingTarget(
  transport: Transport,
  repository: RepositoryRef,
  ask: {
    readonly branch: string;
    readonly gateBranch: string;
    readonly pullRequest: number | null;
  },
): Promise<LandingTarget> {
  const variables = {
    ...repository,
    headRef: branchRef(ask.branch),
    ...gateVariables(ask.gateBranch),
  };
  if (ask.pullRequest !== null) {
    const { data, tolerated, readAt } = await readWhole(
      transport,
      queries.targetByNumber,
      { ...variables, number: ask.pullRequest },
      byNumberShape,
      either(underEntry(["repository", "pullRequest"]), underGate, underQueue),
    );
    const errors = errorsUnder(tolerated, ["repository", "pullRequest"]);
    const { observation } = demand(readPullRequest(data.repository.pullRequest, errors, readAt));
    return { ...common(data.repository, tolerated), observation };
  }

  const { data, tolerated, readAt } = await readWhole(
    transport,
    queries.targetByBranch,
    { ...variables, head: ask.branch },
    byBranchShape,
    either(underEntry(["repository", "pullRequests", "nodes", 0]), underGate, underQueue),
  );
  const found = data.repository.pullRequests.nodes
    .map((node, at) => {
      const errors = errorsUnder(tolerated, ["repository", "pullRequests", "nodes", at]);
      return demand(readPullRequest(node, errors, readAt));
    })
    .filter(({ fork }) => !fork)
    .map(({ observation }) => observation);
  const open = found.find(({ state }) => state === "OPEN");
  return { ...common(data.repository, tolerated), observation: open ?? found[0] ?? null };
}

type Accepts = (error: GraphqlError) => boolean;

function either(...all: readonly Accepts[]): Accepts {
  return (error) => all.some((one) => one(error));
}

/** Whether there is a queue may be hidden from a credential that sees everything else (A12.2). */
const underQueue: Accepts = ({ path }) => path[0] === "repository" && path[1] === "mergeQueue";

/** Accepts errors under the `mergeQueueEntry` of the pull request at `path`; a number in `path` stands for any. */
function underEntry(path: readonly (string | number)[]): Accepts {
  const wanted = [...path, "mergeQueueEntry"];
  return (error) =>
    wanted.every((part, at) =>
      typeof part === "number" ? typeof error.path[at] === "number" : error.path[at] === part,
    );
}

function common(
  repository:
    z.infer<typeof byNumberShape>["repository"] | z.infer<typeof byBranchShape>["repository"],
  errors: readonly GraphqlError[],
): Omit<LandingTarget, "observation"> {
  const hidden = errors.find(underQueue);
  return {
    ...(hidden === undefined ? {} : { queueUnreadable: hidden.message }),
    branchHead: repository.ref?.target?.oid ?? null,
    repositoryNodeId: repository.id,
    queueEnabled: repository.mergeQueue !== null,
    queueMergeMethod: repository.mergeQueue?.configuration?.mergeMethod ?? null,
    gate: gateReading(repository, errors, repository.mergeQueue !== null),
  };
}

function demand(
  reading: ReturnType<typeof readPullRequest>,
): Extract<ReturnType<typeof readPullRequest>, { read: "observation" }> {
  if (reading.read === "observation") return reading;
  const message = `the pull request could not be read: ${reading.why}`;
  throw new GitHubError({ kind: "unavailable", message });
}
