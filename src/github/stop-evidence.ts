/** What is read once more before a stop is said (A5.3, A5.12), and the comparison it rests on. */
import { z } from "zod";

import type { FailedCheck, StopEvidence } from "../core/landing/model.js";
import { type Check, failedRequired, rollupShape } from "./checks.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import { branchRef } from "./branch-ref.js";
import type { Transport } from "./transport.js";

/** Pages of 100 checks that are read of one commit. */
const MOST_PAGES = 20;

const refShape = z.object({ compare: z.object({ status: z.string() }).nullable() }).nullable();

const evidenceShape = z.object({
  repository: z.object({
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

const moreShape = z.object({
  repository: z.object({ object: z.object({ statusCheckRollup: rollupShape }) }),
});

/**
 * One request; one more for each further hundred checks of a commit. A comparison that GitHub did not make is
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
    ({ path }) => path[0] === "repository" && path[1] === "ref",
  );
  const { ref, pullRequest } = data.repository;
  const failed = async (
    oid: string,
    rollup: z.infer<typeof rollupShape>,
    on: FailedCheck["on"],
  ): Promise<readonly FailedCheck[]> =>
    failedRequired(
      await allChecks(transport, { ...repository, number: ask.pullRequest, oid }, rollup),
      on,
    );

  const removal = pullRequest.timelineItems.nodes.at(-1) ?? null;
  const group = removal?.beforeCommit ?? null;
  const onGroup = group === null ? [] : await failed(group.oid, group.statusCheckRollup, "group");
  const onHead = await failed(pullRequest.headRefOid, pullRequest.statusCheckRollup, "head");
  return {
    baseContainsCandidate: contains(ref),
    failedChecks: [...onGroup, ...onHead],
    removal:
      removal === null
        ? null
        : { at: removal.createdAt, reason: removal.reason, groupCommit: group?.oid ?? null },
    readAt,
  };
}

async function allChecks(
  transport: Transport,
  of: RepositoryRef & { readonly number: number; readonly oid: string },
  first: z.infer<typeof rollupShape>,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let rollup = first;
  for (let page = 1; rollup !== null; page += 1) {
    const { nodes, pageInfo } = rollup.contexts;
    checks.push(...nodes.filter((node) => node !== null));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) break;
    if (page === MOST_PAGES) {
      const message = `${of.oid} has more than ${MOST_PAGES * 100} checks`;
      throw new GitHubError({ kind: "unavailable", message });
    }
    const after = pageInfo.endCursor;
    const more = await readWhole(transport, queries.moreChecks, { ...of, after }, moreShape);
    rollup = more.data.repository.object.statusCheckRollup;
  }
  return checks;
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
export async function branchContains(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly branch: string; readonly commit: string },
): Promise<boolean> {
  const { data, tolerated } = await readWhole(
    transport,
    queries.compare,
    { ...repository, baseRef: branchRef(ask.branch), candidate: ask.commit },
    z.object({ repository: z.object({ ref: refShape }) }),
    ({ path }) => path[0] === "repository" && path[1] === "ref",
  );
  const answer = contains(data.repository.ref);
  if (answer !== "unknown") return answer === "yes";
  const why = tolerated[0]?.message ?? "it knows no such branch or commit";
  const message = `GitHub did not compare ${ask.commit} with ${ask.branch}: ${why}`;
  throw new GitHubError({ kind: "unavailable", message });
}
