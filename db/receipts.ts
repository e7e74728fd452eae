/** Merge receipts: the identity of a landing, append-only, and the proof that close-out adds to it once. */
import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Receipt } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { receipts } from "./schema.js";

/** What names a receipt: constraint `receipts_identity_unique`. */
export interface ReceiptIdentity {
  readonly item: string;
  readonly pullRequest: number;
  readonly mergeCommit: string;
}

/** Records a receipt. A repeat of its identity changes nothing; the stored receipt comes back (A11.1). */
export async function recordReceipt(
  executor: Executor,
  receipt: Omit<Receipt, "recordedAt" | "closeOut"> & { readonly at: string },
): Promise<Receipt> {
  const { at, ...given } = receipt;
  await executor
    .insert(receipts)
    .values({ ...given, recordedAt: at })
    .onConflictDoNothing({
      target: [receipts.item, receipts.pullRequest, receipts.mergeCommit],
    });
  return storedReceipt(executor, receipt);
}

/**
 * Adds close-out's proof to exactly this receipt (A11.4). One that is enriched already stays as it is, and comes back.
 * Throws when there is no such receipt.
 */
export async function enrichReceipt(
  executor: Executor,
  ask: ReceiptIdentity & { readonly closeOut: NonNullable<Receipt["closeOut"]> },
): Promise<Receipt> {
  const { at, ...closeOut } = ask.closeOut;
  await executor
    .update(receipts)
    .set({ ...closeOut, closedOutAt: at })
    .where(and(identified(ask), isNull(receipts.closedOutAt)));
  return storedReceipt(executor, ask);
}

/** Newest landing first, by GitHub's time. */
export async function listReceipts(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Receipt[]> {
  const rows = await executor
    .select()
    .from(receipts)
    .where(eq(receipts.item, ask.item))
    .orderBy(desc(receipts.mergedAt), desc(receipts.id));
  return rows.map(receiptOf);
}

/** The newest receipt that close-out proved (A10.8); null when no landing of the item was closed out. */
export async function newestCompletedReceipt(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Receipt | null> {
  const row = first(
    await executor
      .select()
      .from(receipts)
      .where(and(eq(receipts.item, ask.item), isNotNull(receipts.closedOutAt)))
      .orderBy(desc(receipts.mergedAt), desc(receipts.id))
      .limit(1),
  );
  return row === null ? null : receiptOf(row);
}

function identified({ item, pullRequest, mergeCommit }: ReceiptIdentity) {
  return and(
    eq(receipts.item, item),
    eq(receipts.pullRequest, pullRequest),
    eq(receipts.mergeCommit, mergeCommit),
  );
}

async function storedReceipt(executor: Executor, identity: ReceiptIdentity): Promise<Receipt> {
  const rows = await executor.select().from(receipts).where(identified(identity));
  const { item, pullRequest, mergeCommit } = identity;
  return receiptOf(only(rows, `receipt ${item}, pull request ${pullRequest}, ${mergeCommit}`));
}

function receiptOf(row: typeof receipts.$inferSelect): Receipt {
  const {
    carriedBy,
    proof,
    integrity,
    verifiedByGroup,
    changedFiles,
    contributedCommits,
    closedOutAt,
  } = row;
  const closeOut =
    carriedBy === null ||
    proof === null ||
    changedFiles === null ||
    contributedCommits === null ||
    closedOutAt === null
      ? null
      : {
          carriedBy,
          proof,
          integrity,
          verifiedByGroup,
          result: row.result,
          verification: row.verification,
          changedFiles,
          contributedCommits,
          at: closedOutAt,
        };
  const { item, pullRequest, headBranch, target, head, mergeCommit, mergedAt, recordedAt } = row;
  return {
    item,
    pullRequest,
    headBranch,
    target,
    head,
    mergeCommit,
    mergedAt,
    recordedAt,
    closeOut,
  };
}
