/** `project.freeze`: nothing is armed any more, and what is armed is let go or drained (A16.3). */
import { z } from "zod";
import { freezeProject } from "../../db/freezes.js";
import { refuse } from "../core/refusals.js";
import { isAfter } from "../core/landing/elapsed.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { freezeShape, tellLandings } from "./freeze-of-project.js";
import { projectKey, words } from "./input-shapes.js";
import { storedProject } from "./stored.js";

export const projectFreeze = defineFunction({
  name: "project.freeze",
  since: "0.2.0",
  summary: "Arm nothing more in a project, and say why; what is armed is let go, or drained.",
  effect: "write",
  input: z.strictObject({
    project: projectKey,
    reason: words("why the project is frozen", 1000),
    /** When it ends by itself. */
    until: z.iso.datetime({ offset: true }).nullable().default(null),
    /** Let land what is armed. */
    drain: z.boolean().default(false),
  }),
  output: z.object({
    project: z.string(),
    freeze: freezeShape,
    /** Why the landings could not be told at once; upkeep tells them then. */
    untold: z.string().nullable(),
  }),
  async run(context, { project: key, reason, until, drain }) {
    const project = await storedProject(context, key);
    const at = context.now();
    if (until !== null && !isAfter(until, at)) {
      throw new Refused([
        refuse("input_invalid", `until: ${until} is over already; it is ${at} now.`),
      ]);
    }
    const freeze = {
      reason,
      until: until === null ? null : new Date(until).toISOString(),
      drain,
      by: context.session,
      at,
    };
    await freezeProject(context.db, { project: project.key, ...freeze });
    return { project: key, freeze, untold: await tellLandings(context, key) };
  },
});
