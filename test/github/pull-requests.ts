/** Pull requests as GitHub shows them to `fragment Observation`. */

export const HEAD = "a".repeat(40);
export const GROUP = "b".repeat(40);

export function pullRequest(number: number, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    __typename: "PullRequest",
    id: idOf(number),
    number,
    url: `https://github.test/acme/app/pull/${number}`,
    updatedAt: "2026-01-02T03:04:05Z",
    state: "OPEN",
    isDraft: false,
    isCrossRepository: false,
    headRefOid: HEAD,
    headRefName: `lane/${number}`,
    headRef: { name: `lane/${number}` },
    baseRefName: "main",
    baseRef: { name: "main" },
    mergeable: "MERGEABLE",
    mergeStateStatus: "CLEAN",
    isInMergeQueue: false,
    isMergeQueueEnabled: true,
    autoMergeRequest: null,
    mergeQueueEntry: null,
    statusCheckRollup: null,
    mergedAt: null,
    mergeCommit: null,
    closedAt: null,
    ...changes,
  };
}

export function entry(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    state: "AWAITING_CHECKS",
    position: 1,
    enqueuedAt: "2026-01-02T03:04:06Z",
    estimatedTimeToMerge: 300,
    headCommit: { oid: GROUP, statusCheckRollup: null },
    ...changes,
  };
}

/** Counts as a rollup gives them: of check runs, and of statuses. */
export function rollup(
  runs: Readonly<Record<string, number>>,
  statuses: Readonly<Record<string, number>> = {},
) {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([state, count]) => ({ state, count }));
  return {
    contexts: {
      checkRunCountsByState: list(runs),
      statusContextCountsByState: list(statuses),
    },
  };
}

export function idOf(number: number): string {
  return `PR_${number}`;
}

export function numberOf(id: string): number {
  return Number(id.slice("PR_".length));
}

/** Answers `Observe` with `show` of each number that was asked for. */
export function nodesFor(
  variables: Readonly<Record<string, unknown>>,
  show: (number: number) => unknown = (number) => pullRequest(number),
) {
  return { nodes: (variables["ids"] as string[]).map((id) => show(numberOf(id))) };
}

export function idsUpTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => idOf(at + 1));
}

export function graphqlError(
  type: string | null,
  message: string,
  path: readonly (string | number)[] = [],
) {
  return { ...(type === null ? {} : { type }), message, ...(path.length === 0 ? {} : { path }) };
}
