/** What is read once more before a stop is said (A5.3, A5.12), and the comparison it rests on. */
import { z } from "zod";

import type { Comparison } from "../core/landing/direct.js";
import type { StopEvidence } from "../core/landing/model.js";
import {
  allChecks,
  failedRequired,
  notStartedRequired,
  rollupShape,
  underWorkflowRun,
} from "./checks.js";
import { withCauses } from "./cancelled-checks.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import { branchRef } from "./branch-ref.js";
import type { Transport } from "./transport.js";

const refShape = z.object({ compare: z.object({ status: z.string() }).nullable() }).nullable();

const comparison = z.enum(["AHEAD", "BEHIND", "DIVERGED", "IDENTICAL"]);

const evidenceShape = z.object({
  repository: z.object({
    url: z.string(),
    ref: refShape,
    pullRequest: z.object({
      headRefOid: z.string(),
      statusCheckRollup: rollupShape,
      timelineItems: z.object({
        nodes: z.array(
          z.object({
            createdAt: z.string(),
            reason: z.string().nullable(),
            beforeCommit: z.object({ oid: z.string(), statusCheckRollup: rollupShape }).nullable(),
          }),
        ),
      }),
    }),
  }),
});

/**
 * One request; one more for each further hundred checks of a commit, and some for why checks of the group were
 * cancelled. A comparison that GitHub did not make is
 * `unknown`; any other gap raises `GitHubError`, since a list of failed checks must not be short by accident.
 */
export async function readStopEvidence(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly pullRequest: number; readonly candidate: string; readonly baseBranch: string },
): Promise<StopEvidence> {
  const { data, readAt } = await readWhole(
    transport,
    queries.stopEvidence,
    {
      ...repository,
      number: ask.pullRequest,
      baseRef: branchRef(ask.baseBranch),
      candidate: ask.candidate,
      after: null,
    },
    evidenceShape,
    (error) =>
      (error.path[0] === "repository" && error.path[1] === "ref") || underWorkflowRun(error),
  );
  const { ref, pullRequest, url } = data.repository;
  const of = (oid: string, rollup: z.infer<typeof rollupShape>) =>
    allChecks(transport, { ...repository, number: ask.pullRequest, oid }, rollup);

  const removal = pullRequest.timelineItems.nodes.at(-1) ?? null;
  const group = removal?.beforeCommit ?? null;
  const groupChecks = group === null ? [] : await of(group.oid, group.statusCheckRollup);
  const onGroup =
    group === null
      ? []
      : await withCauses(
          transport,
          repository,
          { commit: group.oid, repositoryUrl: url },
          failedRequired(groupChecks, "group", url),
        );
  const headChecks = await of(pullRequest.headRefOid, pullRequest.statusCheckRollup);
  const notStarted = notStartedRequired(groupChecks);
  return {
    baseContainsCandidate: contains(ref),
    failedChecks: [...onGroup, ...failedRequired(headChecks, "head", url)],
    ...(notStarted.length === 0 ? {} : { notStarted }),
    removal:
      removal === null
        ? null
        : { at: removal.createdAt, reason: removal.reason, groupCommit: group?.oid ?? null },
    readAt,
  };
}

/**
 * The branch is the base of the comparison and the commit its head: a head that is `BEHIND` or `IDENTICAL` adds
 * nothing, so the branch contains it. `AHEAD` and `DIVERGED` both name commits the branch lacks.
 */
function contains(ref: z.infer<typeof refShape>): StopEvidence["baseContainsCandidate"] {
  switch (ref?.compare?.status) {
    case "BEHIND":
    case "IDENTICAL":
      return "yes";
    case "AHEAD":
    case "DIVERGED":
      return "no";
    default:
      return "unknown";
  }
}

/** One request. Raises `unavailable` when GitHub makes no comparison: the commit or the branch is not known to it. */
export async function compareWithBranch(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly branch: string; readonly commit: string },
): Promise<Comparison> {
  const { data, tolerated } = await readWhole(
    transport,
    queries.compare,
    { ...repository, baseRef: branchRef(ask.branch), candidate: ask.commit },
    z.object({ repository: z.object({ ref: refShape }) }),
    ({ path }) => path[0] === "repository" && path[1] === "ref",
  );
  const status = comparison.safeParse(data.repository.ref?.compare?.status);
  if (status.success) return status.data;
  const why = tolerated[0]?.message ?? "it knows no such branch or commit";
  const message = `GitHub did not compare ${ask.commit} with ${ask.branch}: ${why}`;
  throw new GitHubError({ kind: "unavailable", message });
}
