/** The end of a landing: git proved it, and the records say so together. */
import type { Receipt } from "../src/core/records.js";
import type { CarryingProof } from "../src/git/port.js";
import { inTransaction, type Executor } from "./client.js";
import { recordItemLanding } from "./item-landings.js";
import { setItemStatus } from "./items.js";
import { saveLanding, type LandingUpdate } from "./landings.js";
import { acknowledgeOfItem } from "./notices.js";
import { enrichReceipt } from "./receipts.js";

/**
 * Enriches the landing's receipt with the proof, marks the item landed, acknowledges its notices, and stores the
 * workflow's state, in one transaction (A11.4). Key: item, pull request and merge commit; a repeat changes nothing and answers the stored
 * receipt. Throws for a state without a landing, or when its receipt is missing: then nothing is stored.
 */
export async function closeOutLanding(
  executor: Executor,
  ask: LandingUpdate & { readonly proof: CarryingProof },
): Promise<Receipt> {
  const { proof, ...update } = ask;
  const { item, pullRequest, candidate, landed } = ask.state;
  if (pullRequest === null || landed === null) {
    throw new Error(`the landing of ${item} cannot be closed out: it has not landed`);
  }
  return inTransaction(executor, async (transaction) => {
    const receipt = await enrichReceipt(transaction, {
      item,
      pullRequest: pullRequest.number,
      mergeCommit: landed.mergeCommit,
      closeOut: {
        carriedBy: proof.mergeCommit,
        proof: proof.by ?? "ancestry",
        integrity: integrityOf(ask.state.item, proof),
        verifiedByGroup: landed.verifiedByGroup ?? null,
        result: ask.result ?? null,
        verification: ask.verification ?? null,
        changedFiles: proof.changedFiles,
        contributedCommits: proof.contributedCommits,
        at: ask.at,
      },
    });
    await setItemStatus(transaction, { item, status: "landed", at: ask.at });
    await acknowledgeOfItem(transaction, { item, at: ask.at });
    await saveLanding(transaction, update);
    // Before the lane is removed: without its landing nobody may (A13.1).
    if (candidate !== null) {
      await recordItemLanding(transaction, {
        item,
        branch: candidate.branch,
        candidate: candidate.commit,
        carriedBy: proof.mergeCommit,
        at: ask.at,
      });
    }
    return receipt;
  });
}

/** A wrong tree is no landing: whoever asks to close it out is told so before (A16.1). */
function integrityOf(item: string, proof: CarryingProof) {
  const { integrity = null } = proof;
  if (integrity?.is !== "wrong_tree") return integrity;
  throw new Error(`the landing of ${item} cannot be closed out: its tree is wrong`);
}
