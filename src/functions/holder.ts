/** Who may write on an item: while a live session holds it, only that session. */
import { findClaim } from "../../db/claims.js";
import { findSession } from "../../db/sessions.js";
import { refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";

/**
 * Throws `claim_held` when another active session holds the item. A person without a session may always write, and a
 * claim whose session ended keeps nobody out (A6.3).
 */
export async function refuseUnlessHolder(context: FunctionContext, item: string): Promise<void> {
  if (context.session === null) return;
  const claim = await findClaim(context.db, { item });
  if (claim === null || claim.session === context.session) return;
  const holder = await findSession(context.db, { id: claim.session });
  if (holder?.state !== "active") return;
  throw new Refused([
    refuse("claim_held", `${item} is held by session ${claim.session} since ${claim.claimedAt}.`, {
      item,
      holder: claim.session,
    }),
  ]);
}
