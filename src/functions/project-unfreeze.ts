/** `project.unfreeze`: ends a freeze; what it let go is armed again (A16.3). */
import { z } from "zod";
import { liftFreeze } from "../../db/freezes.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { tellLandings } from "./freeze-of-project.js";
import { projectKey, words } from "./input-shapes.js";
import { storedProject } from "./stored.js";

export const projectUnfreeze = defineFunction({
  name: "project.unfreeze",
  since: "0.2.0",
  summary: "End the freeze of a project; what it let go is armed again.",
  effect: "write",
  input: z.strictObject({
    project: projectKey,
    reason: words("why the freeze ends", 1000).nullable().default(null),
  }),
  output: z.object({
    project: z.string(),
    /** Why the landings could not be told at once; upkeep tells them then. */
    untold: z.string().nullable(),
  }),
  async run(context, { project: key, reason }) {
    await storedProject(context, key);
    const lifted = await liftFreeze(context.db, {
      project: key,
      by: context.session,
      reason,
      at: context.now(),
    });
    if (!lifted) {
      throw new Refused([refuse("project_not_frozen", `${key} is not frozen.`, { project: key })]);
    }
    return { project: key, untold: await tellLandings(context, key) };
  },
});
