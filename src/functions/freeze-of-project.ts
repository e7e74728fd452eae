/** The freeze of a project as functions answer with it, and how its landings hear of it (A16.3). */
import { z } from "zod";
import { findFreeze } from "../../db/freezes.js";
import { lasting, type Freeze } from "../core/landing/freeze.js";
import { Refused, type FunctionContext } from "./context.js";

export const freezeShape = z.object({
  reason: z.string(),
  until: z.string().nullable(),
  drain: z.boolean(),
  by: z.string().nullable(),
  at: z.string(),
});

/** The freeze that lasts now. */
export async function freezeOf(context: FunctionContext, project: string): Promise<Freeze | null> {
  return lasting(await findFreeze(context.db, { project }), context.now());
}

/** Has upkeep tell the landings now; what it cannot is told by the next pass, and why is answered. */
export async function tellLandings(
  context: FunctionContext,
  project: string,
): Promise<string | null> {
  try {
    const { refreshError } = await context.landings.refreshAll(project);
    return refreshError?.message ?? null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.message;
  }
}
