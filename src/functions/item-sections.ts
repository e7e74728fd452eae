/** The sections of an item: texts that were stored with it, and those computed from its records. */
import { findSection, listSections } from "../../db/items.js";
import { listReceipts } from "../../db/receipts.js";
import { listReservations } from "../../db/reservations.js";
import { reentryKind } from "../core/landing/reentry-receipt.js";
import type { Receipt, Reservation } from "../core/records.js";
import type { FunctionContext } from "./context.js";

/** Names are API, spelled as people read them. */
export const MERGE_RECEIPTS = "Merge Receipts";
export const TRAIN_RETRIES = "Merge train retries";
export const REENTRY_RECEIPTS = "Queue re-entry receipts";

/** Reservations of this kind are claimed retries of a failed merge train (A9.1). */
const RETRY_KIND = "flake_retry";

const computed: Readonly<
  Record<string, (context: FunctionContext, item: string) => Promise<string>>
> = {
  [MERGE_RECEIPTS]: async (context, item) =>
    (await listReceipts(context.db, { item })).map(receiptText).join("\n\n"),
  [REENTRY_RECEIPTS]: async (context, item) =>
    (await listReservations(context.db, { item }))
      .filter(({ kind, state }) => kind === reentryKind && state === "completed")
      .map(({ detail, settledAt }) => `${detail}\naccepted at: ${settledAt ?? ""}`)
      .join("\n\n"),
  [TRAIN_RETRIES]: async (context, item) =>
    (await listReservations(context.db, { item }))
      .filter(({ kind }) => kind === RETRY_KIND)
      .map(retryText)
      .join("\n"),
};

export interface SectionText {
  readonly name: string;
  /** Empty when nothing is recorded. */
  readonly body: string;
  /** Null for a computed section. */
  readonly writtenAt: string | null;
}

/** Null: the item has no section of this name. */
export async function readSection(
  context: FunctionContext,
  item: string,
  name: string,
): Promise<SectionText | null> {
  const compute = computed[name];
  if (compute !== undefined) return { name, body: await compute(context, item), writtenAt: null };
  const stored = await findSection(context.db, { item, name });
  return stored === null ? null : { name, body: stored.body, writtenAt: stored.writtenAt };
}

export async function sectionNames(context: FunctionContext, item: string): Promise<string[]> {
  const stored = await listSections(context.db, { item });
  return [...new Set([...stored.map(({ name }) => name), ...Object.keys(computed)])];
}

function receiptText(receipt: Receipt): string {
  const { closeOut } = receipt;
  const lines = [
    `pull request: ${receipt.pullRequest}`,
    `head branch: ${receipt.headBranch}`,
    `target: ${receipt.target}`,
    `head: ${receipt.head}`,
    `merge commit: ${receipt.mergeCommit}`,
    `merged at: ${receipt.mergedAt}`,
  ];
  if (closeOut === null) return [...lines, "close-out: owed"].join("\n");
  return [
    ...lines,
    `carried by: ${closeOut.carriedBy} (proof: ${closeOut.proof})`,
    ...(closeOut.result === null ? [] : [`result: ${closeOut.result}`]),
    ...(closeOut.verification === null ? [] : [`verification: ${closeOut.verification}`]),
    `changed files: ${closeOut.changedFiles.join(", ")}`,
    `contributed commits: ${closeOut.contributedCommits.join(", ")}`,
    `closed out at: ${closeOut.at}`,
  ].join("\n");
}

function retryText({ key, state, detail, reservedAt }: Reservation): string {
  return `${reservedAt} ${state}: ${detail} (${key})`;
}
