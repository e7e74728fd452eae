/** `claim.get` */
import { z } from "zod";
import { findClaim } from "../../db/claims.js";
import { findSession } from "../../db/sessions.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { claimShape, sessionShape } from "./record-shapes.js";
import { storedItem } from "./stored.js";

export const claimGet = defineFunction({
  name: "claim.get",
  since: "0.1.0",
  summary: "Show which session holds an item.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({
    item: z.string(),
    claim: claimShape.nullable(),
    holder: sessionShape.nullable(),
  }),
  async run(context, { item }) {
    await storedItem(context, item);
    const claim = await findClaim(context.db, { item });
    const holder = claim === null ? null : await findSession(context.db, { id: claim.session });
    return { item, claim, holder };
  },
});
