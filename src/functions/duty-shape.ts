/** `HolderDuty` as a shape of outputs. */
import { z } from "zod";

export const dutyShape = z.object({
  item: z.string(),
  duty: z.enum(["awaiting_landing", "must_act", "owes_close_out", "done"]),
  why: z.string(),
  next: z.string().nullable(),
});
