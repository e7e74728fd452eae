/** Webhook deliveries: who sent them, and which pull requests they speak of. A delivery only ever wakes a read. */
import { createHmac, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { Secret } from "../config/secret.js";

/**
 * Whether `signature` (the `X-Hub-Signature-256` header) is the HMAC of exactly these bytes, compared in constant time
 * (B5.1). `@octokit/webhooks-methods` is not used: it takes text, and decoding may change the bytes that were signed.
 */
export function verifySignature(delivery: {
  readonly body: Buffer;
  readonly signature: string | null;
  readonly secret: Secret;
}): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(delivery.signature ?? "")?.[1];
  if (hex === undefined) return false;
  const own = createHmac("sha256", delivery.secret.reveal()).update(delivery.body).digest();
  return timingSafeEqual(own, Buffer.from(hex, "hex"));
}

export interface Delivery {
  /** Null for an event that is not about one repository, or a payload that was not understood. */
  readonly repositoryId: number | null;
  /** Numbers of the pull requests it speaks of, ascending. */
  readonly pullRequests: readonly number[];
  /** Whether it may change what a landing does; other news can be read a little later, with what is. */
  readonly urgent: boolean;
  /** Event and action, such as `pull_request.dequeued`, for summaries and logs. */
  readonly reason: string;
}

/** A branch that GitHub made to test a group: `gh-readonly-queue/<base>/pr-<n>-<commit it is built on>`. */
export interface QueueBranch {
  readonly base: string;
  readonly pullRequest: number;
  readonly builtOn: string;
}

/**
 * Reads the name of a queue branch, with or without `refs/heads/`; the base may hold slashes (github-facts 4.8).
 * Whoever may write can make a branch of this shape, so it is a hint where to look and never evidence.
 */
export function queueBranch(ref: string): QueueBranch | null {
  const match =
    /^(?:refs\/heads\/)?gh-readonly-queue\/(.+)\/pr-([1-9]\d{0,9})-([0-9a-f]{40})$/.exec(ref);
  const [, base, number, builtOn] = match ?? [];
  if (base === undefined || number === undefined || builtOn === undefined) return null;
  return { base, pullRequest: Number(number), builtOn };
}

/**
 * What a delivery speaks of. Tolerant: each part of `payload` (parsed JSON) is read by itself, and a part that is
 * missing or of another shape speaks of nothing.
 */
export function readDelivery(event: string, payload: unknown): Delivery {
  const { action, repository, ...rest } = payloadShape.parse(payload);
  const repositoryId = repository?.id ?? null;
  const branches = [
    rest.ref,
    rest.merge_group?.head_ref,
    rest.check_run?.check_suite?.head_branch,
    rest.check_suite?.head_branch,
    rest.workflow_run?.head_branch,
    rest.workflow_job?.head_branch,
    ...(rest.branches ?? []).map((branch) => branch?.name),
  ];
  const listed = [rest.check_run, rest.check_suite, rest.workflow_run]
    .flatMap((subject) => subject?.pull_requests ?? [])
    // A run may list the pull request of a fork into its own base.
    .filter((one) => one?.base?.repo.id === repositoryId);
  const numbers = [
    rest.pull_request?.number,
    ...branches.map(
      (branch) => (typeof branch === "string" ? queueBranch(branch) : null)?.pullRequest,
    ),
    ...listed.map((one) => one?.number),
  ].filter((number) => number !== undefined);
  return {
    repositoryId,
    pullRequests: [...new Set(numbers)].sort((a, b) => a - b),
    urgent: isUrgent(event, action, rest.reason),
    reason: action === undefined ? event : `${event}.${action}`,
  };
}

/** Actions of `pull_request` that only make a record more exact; an action that is not known may mean anything. */
const calmActions: ReadonlySet<string | undefined> = new Set([
  "assigned",
  "auto_merge_enabled",
  "demilestoned",
  "enqueued",
  "labeled",
  "locked",
  "milestoned",
  "opened",
  "ready_for_review",
  "review_request_removed",
  "review_requested",
  "unassigned",
  "unlabeled",
  "unlocked",
]);

/** What a check or a push means for a landing, `pull_request` says itself; a merge is told by `closed` (github-facts 3.2). */
function isUrgent(event: string, action: string | undefined, reason: string | undefined): boolean {
  if (event === "merge_group") return action === "destroyed" && reason !== "merged";
  if (event !== "pull_request") return false;
  return !calmActions.has(action) && !(action === "dequeued" && reason === "MERGE");
}

/** A part of any other shape counts as absent. */
function part<T extends z.ZodType>(shape: T) {
  return shape.optional().catch(undefined);
}

const number = z.int().positive();
const pullRequests = part(
  z.array(part(z.object({ number, base: part(z.object({ repo: z.object({ id: z.int() }) })) }))),
);
const headBranch = part(z.string().nullable());
const suite = part(z.object({ head_branch: headBranch, pull_requests: pullRequests }));

const payloadShape = z
  .object({
    action: part(z.string()),
    reason: part(z.string()),
    repository: part(z.object({ id: z.int() })),
    ref: part(z.string()),
    pull_request: part(z.object({ number })),
    merge_group: part(z.object({ head_ref: z.string() })),
    check_run: part(z.object({ check_suite: suite, pull_requests: pullRequests })),
    check_suite: suite,
    workflow_run: suite,
    workflow_job: part(z.object({ head_branch: headBranch })),
    branches: part(z.array(part(z.object({ name: z.string() })))),
  })
  .catch({});
