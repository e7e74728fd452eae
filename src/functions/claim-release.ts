/** `claim.release` */
import { z } from "zod";
import { releaseClaim } from "../../db/claims.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { storedItem } from "./stored.js";

export const claimRelease = defineFunction({
  name: "claim.release",
  since: "0.1.0",
  summary: "Give an item back that the session holds.",
  effect: "write",
  input: z.strictObject({ item: itemKey }),
  output: z.object({ item: z.string(), released: z.literal(true) }),
  async run(context, { item }) {
    await storedItem(context, item);
    const { session } = context;
    if (session === null) {
      throw new Refused([refuse("session_missing", "The request names no session.")]);
    }
    const { released } = await releaseClaim(context.db, { item, session, at: context.now() });
    if (released) return { item, released };
    throw new Refused([
      refuse("claim_missing", `Session ${session} does not hold ${item}.`, { item, session }),
    ]);
  },
});
