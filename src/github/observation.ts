/** From a `PullRequest` of an answer to an `Observation`: what could not be read is said, never guessed (A4.7). */
import { z } from "zod";

import type { Observation, QueueMembership } from "../core/landing/model.js";
import { concernsCounts, readCheckCounts } from "./check-counts.js";
import type { GraphqlError } from "./faults.js";
import { readGroupRun } from "./group-run.js";

export type Reading =
  | { readonly read: "observation"; readonly observation: Observation; readonly fork: boolean }
  | { readonly read: "unreadable"; readonly why: string };

const oid = z.string().regex(/^[0-9a-f]{40}$/);
const commit = z.object({ oid }).nullable();

/** ISO times in UTC, as GitHub writes them. */
const time = z.iso.datetime({ offset: true });

const entryShape = z.object({
  state: z.enum(["QUEUED", "AWAITING_CHECKS", "MERGEABLE", "UNMERGEABLE", "LOCKED"]),
  position: z.int(),
  enqueuedAt: time,
  estimatedTimeToMerge: z.number().nullable(),
  headCommit: commit,
});

/** A value that GitHub adds to one of these enums later means to us: not known. */
const pullRequestShape = z.object({
  id: z.string(),
  number: z.int(),
  url: z.string(),
  updatedAt: time,
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  isDraft: z.boolean(),
  isCrossRepository: z.boolean(),
  headRefOid: oid,
  headRefName: z.string(),
  headRef: z.object({}).nullable(),
  baseRefName: z.string(),
  baseRef: z.object({}).nullable(),
  mergeable: z.enum(["MERGEABLE", "CONFLICTING", "UNKNOWN"]).catch("UNKNOWN"),
  mergeStateStatus: z
    .enum(["BEHIND", "BLOCKED", "CLEAN", "DIRTY", "DRAFT", "HAS_HOOKS", "UNKNOWN", "UNSTABLE"])
    .catch("UNKNOWN"),
  isInMergeQueue: z.boolean(),
  isMergeQueueEnabled: z.boolean(),
  autoMergeRequest: z.object({ enabledAt: time.nullable() }).nullable(),
  mergeQueueEntry: z.unknown(),
  mergedAt: time.nullable(),
  mergeCommit: commit,
  closedAt: time.nullable(),
});

type PullRequest = z.infer<typeof pullRequestShape>;

/**
 * Reads one pull request. `errors` are those of the answer that lie at or under it, their paths counted from it: one
 * under `mergeQueueEntry` makes the membership unreadable, any other the whole pull request (github-facts 4.36), but
 * for one about the counts of checks, which nothing is decided from.
 */
export function readPullRequest(
  node: unknown,
  errors: readonly GraphqlError[],
  readAt: string,
): Reading {
  const told = errors.filter((error) => !concernsCounts(error));
  const own = told.find(({ path }) => path[0] !== "mergeQueueEntry");
  if (own !== undefined) return { read: "unreadable", why: own.message };
  if (node === null || node === undefined) {
    return { read: "unreadable", why: "not found or no access" };
  }
  const parsed = pullRequestShape.safeParse(node);
  if (!parsed.success) {
    const kind = z.object({ __typename: z.string() }).safeParse(node).data?.__typename;
    if (kind !== undefined && kind !== "PullRequest") {
      return { read: "unreadable", why: `the node is a ${kind}, not a pull request` };
    }
    return { read: "unreadable", why: `not understood: ${whatIsWrong(parsed.error)}` };
  }
  const one = parsed.data;
  const observation: Observation = {
    pullRequest: one.number,
    nodeId: one.id,
    url: one.url,
    readAt,
    updatedAt: one.updatedAt,
    state: one.state,
    isDraft: one.isDraft,
    head: one.headRefOid,
    headBranch: one.headRefName,
    headBranchExists: one.headRef !== null,
    baseBranch: one.baseRefName,
    baseBranchExists: one.baseRef !== null,
    mergeable: one.mergeable,
    mergeState: one.mergeStateStatus,
    autoMerge:
      one.autoMergeRequest === null
        ? null
        : // The schema allows a request without a time; it was enabled when the pull request changed last, or before.
          { enabledAt: one.autoMergeRequest.enabledAt ?? one.updatedAt },
    queue: membership(one, told),
    queueEnabled: one.isMergeQueueEnabled,
    merge:
      one.state === "MERGED" || one.mergedAt !== null
        ? {
            commit: one.mergeCommit?.oid ?? null,
            mergedAt: one.mergedAt,
            ...readGroupRun(node, errors),
          }
        : null,
    closedAt: one.closedAt,
    ...readCheckCounts(node, errors),
  };
  return { read: "observation", observation, fork: one.isCrossRepository };
}

/** The entry itself is the best single evidence; a queued pull request without one contradicts itself (1.1). */
function membership(one: PullRequest, errors: readonly GraphqlError[]): QueueMembership {
  const [error] = errors;
  if (error !== undefined) return { read: "unreadable", why: error.message };
  if (one.mergeQueueEntry === null) {
    return one.isInMergeQueue
      ? { read: "unreadable", why: "GitHub says it is queued but shows no entry" }
      : { read: "none" };
  }
  const entry = entryShape.safeParse(one.mergeQueueEntry);
  if (!entry.success) {
    return { read: "unreadable", why: `entry not understood: ${whatIsWrong(entry.error)}` };
  }
  const { headCommit, ...rest } = entry.data;
  return { read: "entry", entry: { ...rest, groupCommit: headCommit?.oid ?? null } };
}

/** The first thing that does not fit, by its place in the answer. */
export function whatIsWrong(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? "shape" : `${issue.path.join(".")}: ${issue.message}`;
}
