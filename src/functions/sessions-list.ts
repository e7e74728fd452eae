/** `sessions.list`: the roster (A6.3, A6.4). */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { dutyShape } from "./duty-shape.js";
import { projectKey } from "./input-shapes.js";
import { sessionShape } from "./record-shapes.js";
import { readRoster } from "./roster.js";
import { storedProject } from "./stored.js";
import { resumption } from "./wake-route-words.js";

export const sessionsList = defineFunction({
  name: "sessions.list",
  since: "0.1.0",
  summary: "List sessions with what they hold, and which of them cannot resume by themselves.",
  effect: "read",
  input: z.strictObject({
    project: projectKey.optional(),
    /** With the ended ones. */
    all: z.boolean().default(false),
  }),
  output: z.object({
    sessions: z.array(
      sessionShape.extend({
        doing: z.enum(["idle", "awaiting_landing", "working", "ended"]),
        /** False: the route cannot resume the session automatically. */
        resumes: z.boolean(),
        route: z.string(),
        duties: z.array(dutyShape).readonly(),
      }),
    ),
  }),
  async run(context, { project, all }) {
    if (project !== undefined) await storedProject(context, project);
    const { entries } = await readRoster(context, project);
    return {
      sessions: entries
        .filter(({ session }) => all || session.state === "active")
        .map(({ session, doing, duties }) => {
          const { automatic, text } = resumption(session.wakeRoute);
          return { ...session, doing, resumes: automatic, route: text, duties };
        }),
    };
  },
});
