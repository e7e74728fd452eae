/** `sessions.end` */
import { z } from "zod";
import { listClaims } from "../../db/claims.js";
import { endSession } from "../../db/sessions.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { word } from "./input-shapes.js";
import { sessionShape } from "./record-shapes.js";

export const sessionsEnd = defineFunction({
  name: "sessions.end",
  since: "0.1.0",
  summary: "End a session; what it holds stays claimed until it is restaffed.",
  effect: "write",
  input: z.strictObject({ id: word("the id of a session").optional() }),
  output: z.object({ session: sessionShape, stillHolds: z.array(z.string()) }),
  async run(context, input) {
    const id = input.id ?? context.session;
    if (id === null) {
      throw new Refused([refuse("session_missing", "The request names no session.")]);
    }
    const session = await endSession(context.db, { id, at: context.now() });
    if (session === null) {
      throw new Refused([
        refuse("session_unknown", `No session has the id ${id}.`, { session: id }),
      ]);
    }
    const claims = await listClaims(context.db, { session: id });
    return { session, stillHolds: claims.map(({ item }) => item) };
  },
});
