/** What a landing's workflow decided, stored at once: nobody sees a landing without its receipt, or a notice without its landing. */
import { and, eq } from "drizzle-orm";
import type { LandingEffect, NoticeDraft } from "../src/core/landing/model.js";
import type { Notice } from "../src/core/records.js";
import { inTransaction, type Executor } from "./client.js";
import { freezeProject } from "./freezes.js";
import { saveLanding, type LandingUpdate } from "./landings.js";
import { listNotices, recordNotice } from "./notices.js";
import { recordReceipt } from "./receipts.js";
import { items } from "./schema.js";

/** Identity of a landing (A11.1), as the decision's effect carries it. */
export type LandingStamp = Omit<Extract<LandingEffect, { type: "stampLanding" }>, "type">;

export interface LandingCommit extends LandingUpdate {
  readonly stamp?: LandingStamp | undefined;
  /** Why arming stops in the project (A16.1). */
  readonly freeze?: { readonly reason: string } | null | undefined;
  readonly notices: readonly NoticeDraft[];
}

export interface LandingCommitted {
  /** False: this version or a newer one was there, and nothing changed. */
  readonly saved: boolean;
  /** The commit's notices as they are stored. */
  readonly notices: readonly Notice[];
}

/**
 * Stores one step of a landing in one transaction: its state, and when GitHub merged it the item's stamps and the
 * identity of its receipt (A11.1), then its notices. Key: item and version; a repeat, or an older version, changes
 * nothing (A4.8). The item is `landing` from its merge boundary on; only close-out makes it `landed` (A11.4).
 */
export async function commitLanding(
  executor: Executor,
  commit: LandingCommit,
): Promise<LandingCommitted> {
  const { state, at } = commit;
  const { project, item } = state;
  return inTransaction(executor, async (transaction) => {
    const { saved } = await saveLanding(transaction, commit);
    if (saved) {
      if (state.pullRequest !== null && state.phase !== "closed_out") {
        await beginLanding(transaction, { item, at });
      }
      if (commit.stamp !== undefined) {
        await stampItem(transaction, { item, stamp: commit.stamp });
        await recordReceipt(transaction, { ...receiptIdentity(item, commit.stamp), at });
      }
      if (commit.freeze != null) {
        const { reason } = commit.freeze;
        await freezeProject(transaction, {
          project,
          reason,
          until: null,
          drain: false,
          by: null,
          at,
        });
      }
      for (const notice of commit.notices) {
        await recordNotice(transaction, { project, item, notice, at });
      }
    }
    const keys = commit.notices.map(({ key }) => key);
    return { saved, notices: await listNotices(transaction, { keys }) };
  });
}

/** An item that landed before stays so while it lands again (A10.1). */
async function beginLanding(
  executor: Executor,
  ask: { readonly item: string; readonly at: string },
): Promise<void> {
  await executor
    .update(items)
    .set({ status: "landing", statusAt: ask.at })
    .where(and(eq(items.key, ask.item), eq(items.status, "open")));
}

async function stampItem(
  executor: Executor,
  { item, stamp }: { readonly item: string; readonly stamp: LandingStamp },
): Promise<void> {
  await executor
    .update(items)
    .set({
      mergedAt: stamp.mergedAt,
      mergeQueueLandedAt: stamp.mergedAt,
      mergeCommit: stamp.mergeCommit,
    })
    .where(eq(items.key, item));
}

function receiptIdentity(item: string, stamp: LandingStamp) {
  const { pullRequest, headBranch, target, head, mergeCommit, mergedAt } = stamp;
  return { item, pullRequest, headBranch, target, head, mergeCommit, mergedAt };
}
