/** `sessions.stop_check`: whether a session may stop now (A6.4, A10.6). */
import { z } from "zod";
import { listClaims } from "../../db/claims.js";
import { listLandings } from "../../db/landings.js";
import { byItem, landingInCharge } from "../core/landing/landings-of-item.js";
import { defineFunction } from "./define.js";
import { dutyShape } from "./duty-shape.js";
import { holderDuty } from "./holder-duty.js";
import { word } from "./input-shapes.js";
import { actingSession, storedItem } from "./stored.js";
import { resumption } from "./wake-route-words.js";

export const sessionsStopCheck = defineFunction({
  name: "sessions.stop_check",
  since: "0.1.0",
  summary: "Say whether a session may stop: its landings are armed, and it owes nothing.",
  effect: "read",
  input: z.strictObject({ id: word("the id of a session").optional() }),
  output: z.object({
    session: z.string(),
    mayStop: z.boolean(),
    /** One for each item it holds. */
    duties: z.array(dutyShape),
    /** False: somebody must look for its notices, since its wake route cannot resume it. */
    resumes: z.boolean(),
    route: z.string(),
  }),
  async run(context, input) {
    const session = await actingSession(context, input.id);
    const claims = await listClaims(context.db, { session: session.id });
    const items = claims.map(({ item }) => item);
    const records = await listLandings(context.db, { items });
    const recordOf = byItem(records, landingInCharge);
    const duties = await Promise.all(
      items.map(async (key) =>
        holderDuty(await storedItem(context, key), recordOf.get(key) ?? null),
      ),
    );
    const { automatic, text } = resumption(session.wakeRoute);
    return {
      session: session.id,
      mayStop: duties.every(({ duty }) => duty === "awaiting_landing" || duty === "done"),
      duties,
      resumes: automatic,
      route: text,
    };
  },
});
