/** The records of `src/core/records.ts` as shapes of outputs. Secrets are shown as where they are kept. */
import { z } from "zod";

export const itemShape = z.object({
  key: z.string(),
  project: z.string(),
  number: z.number(),
  title: z.string(),
  body: z.string(),
  status: z.enum(["open", "landing", "landed"]),
  mergedAt: z.string().nullable(),
  mergeQueueLandedAt: z.string().nullable(),
  mergeCommit: z.string().nullable(),
  createdAt: z.string(),
});

export const predecessorShape = z.object({
  item: z.string(),
  title: z.string(),
  status: itemShape.shape.status,
});

export const refreshErrorShape = z.object({
  code: z.string(),
  message: z.string(),
  at: z.string(),
});

export const projectShape = z.object({
  key: z.string(),
  owner: z.string(),
  name: z.string(),
  repositoryId: z.number(),
  apiUrl: z.string(),
  gateBranch: z.string(),
  closeOut: z.enum(["ancestry", "content"]),
  deleteRemoteBranches: z.boolean(),
  credential: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("token"), token: z.string() }),
    z.object({
      kind: z.literal("app"),
      appId: z.number(),
      installationId: z.number(),
      privateKey: z.string(),
    }),
  ]),
  connection: z.string(),
  webhookSecret: z.string().nullable(),
  requirement: z.string(),
  requirementDigest: z.string(),
  upkeepSeconds: z.number(),
  refreshError: refreshErrorShape.nullable(),
  refreshedAt: z.string().nullable(),
  createdAt: z.string(),
});

export const laneShape = z.object({
  id: z.string(),
  item: z.string(),
  branch: z.string(),
  path: z.string(),
  commonDir: z.string(),
  host: z.string(),
  remote: z.string().nullable(),
  state: z.enum(["active", "removed"]),
  integration: z.boolean(),
  registeredAt: z.string(),
});

export const claimShape = z.object({
  item: z.string(),
  session: z.string(),
  claimedAt: z.string(),
});

export const wakeRouteShape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exec"), argv: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal("http"), url: z.string(), secret: z.string().nullable() }),
  z.object({ kind: z.literal("file"), path: z.string() }),
  z.object({ kind: z.literal("operator") }),
]);

export const sessionShape = z.object({
  id: z.string(),
  harness: z.string(),
  wakeRoute: wakeRouteShape,
  host: z.string(),
  project: z.string().nullable(),
  steering: z.boolean(),
  state: z.enum(["active", "ended"]),
  registeredAt: z.string(),
  endedAt: z.string().nullable(),
});

export const qualificationShape = z.object({
  id: z.string(),
  item: z.string(),
  commit: z.string(),
  tree: z.string(),
  requirementDigest: z.string(),
  verdict: z.enum(["passed", "failed"]),
  evidence: z.string(),
  recordedBy: z.string(),
  recordedAt: z.string(),
});

export const receiptShape = z.object({
  item: z.string(),
  pullRequest: z.number(),
  headBranch: z.string(),
  target: z.string(),
  head: z.string(),
  mergeCommit: z.string(),
  mergedAt: z.string(),
  recordedAt: z.string(),
  closeOut: z
    .object({
      carriedBy: z.string(),
      proof: z.enum(["ancestry", "content"]),
      integrity: z
        .discriminatedUnion("is", [
          z.object({ is: z.literal("intact") }),
          z.object({ is: z.literal("not_checked"), why: z.string() }),
        ])
        .nullable(),
      verifiedByGroup: z.boolean().nullable(),
      result: z.string().nullable(),
      verification: z.string().nullable(),
      changedFiles: z.array(z.string()).readonly(),
      contributedCommits: z.array(z.string()).readonly(),
      at: z.string(),
    })
    .nullable(),
});

/** A re-land attempt; `outcome` and what follows are null while it is open. */
export const attemptShape = z.object({
  pullRequest: z.number(),
  openedAt: z.string(),
  /** Since when the queue has an entry of it. */
  enqueuedAt: z.string().nullable(),
  outcome: z.enum(["merged", "superseded", "closed_unmerged"]).nullable(),
  reason: z.string().nullable(),
  closedAt: z.string().nullable(),
});

export const noticeShape = z.object({
  id: z.string(),
  project: z.string(),
  item: z.string(),
  episode: z.number(),
  kind: z.enum(["landed", "stopped", "queue_conflict", "wrong_tree"]),
  title: z.string(),
  body: z.string(),
  next: z.string().nullable(),
  reason: z.string().nullable(),
  failedChecks: z
    .array(
      z.object({
        name: z.string(),
        conclusion: z.string(),
        url: z.string().nullable(),
        on: z.enum(["head", "group"]),
        cause: z.string().optional(),
      }),
    )
    .readonly(),
  recipient: z.string().nullable(),
  state: z.enum(["pending", "delivered", "acknowledged"]),
  createdAt: z.string(),
  deliveredAt: z.string().nullable(),
  attempts: z.number(),
  lastError: z.string().nullable(),
});

export const steeringMessageShape = z.object({
  id: z.string(),
  project: z.string(),
  item: z.string().nullable(),
  fromSession: z.string().nullable(),
  text: z.string(),
  saidAt: z.string(),
});
