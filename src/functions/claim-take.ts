/** `claim.take`: a session takes an item; of several that ask at once one gets it. */
import { z } from "zod";
import { releaseClaim, takeClaim, type ClaimAnswer } from "../../db/claims.js";
import { inTransaction } from "../../db/client.js";
import { findSession, findSteeringSeat } from "../../db/sessions.js";
import type { Item } from "../core/records.js";
import { refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { itemKey, word } from "./input-shapes.js";
import { claimShape } from "./record-shapes.js";
import { actingSession, storedItem } from "./stored.js";

export const claimTake = defineFunction({
  name: "claim.take",
  since: "0.1.0",
  summary: "Claim an item for a session.",
  effect: "write",
  input: z.strictObject({
    item: itemKey,
    /** Who is to hold it; without it the session that asks. Naming another one is restaffing. */
    session: word("the id of a session").optional(),
    /** Take it from its holder: when that session ended, or for the steering seat or a person. */
    takeOver: z.boolean().default(false),
  }),
  output: z.object({ claim: claimShape, takenFrom: z.string().nullable() }),
  async run(context, { item: key, session, takeOver }) {
    const item = await storedItem(context, key);
    const { id } = await actingSession(context, session);
    const at = context.now();
    if (context.session !== null && id !== context.session && !(await steers(context, item))) {
      throw new Refused([
        refuse(
          "claim_held",
          `Only the steering seat of ${item.project} may claim ${key} for another session.`,
          { item: key, session: id },
          "Ask the steering seat to restaff the item, or claim it for your own session.",
        ),
      ]);
    }
    const first = await takeClaim(context.db, { item: key, session: id, at });
    if (first.claimed) return { claim: first.claim, takenFrom: null };
    const { session: holder } = first.holder;
    if (!takeOver || !(await mayTakeOver(context, item, holder))) throw held(key, first);
    const second = await inTransaction(context.db, async (transaction) => {
      await releaseClaim(transaction, { item: key, session: holder, at });
      return takeClaim(transaction, { item: key, session: id, at });
    });
    if (!second.claimed) throw held(key, second);
    return { claim: second.claim, takenFrom: holder };
  },
});

function held(item: string, { holder }: Extract<ClaimAnswer, { claimed: false }>): Refused {
  return new Refused([
    refuse(
      "claim_held",
      `${item} is held by session ${holder.session} since ${holder.claimedAt}.`,
      {
        item,
        holder: holder.session,
      },
    ),
  ]);
}

async function mayTakeOver(context: FunctionContext, item: Item, holder: string): Promise<boolean> {
  if (context.session === null) return true;
  const session = await findSession(context.db, { id: holder });
  return session?.state !== "active" || steers(context, item);
}

async function steers(context: FunctionContext, item: Item): Promise<boolean> {
  const seat = await findSteeringSeat(context.db, { project: item.project });
  return seat !== null && seat.id === context.session;
}
