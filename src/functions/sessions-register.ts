/** `sessions.register`: who works, and how to wake them (A6.3). */
import { z } from "zod";
import { violated } from "../../db/client.js";
import { findSteeringSeat, registerSession } from "../../db/sessions.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { absolutePath, projectKey, secretRef, word } from "./input-shapes.js";
import { sessionShape } from "./record-shapes.js";
import { storedProject } from "./stored.js";
import { resumption } from "./wake-route-words.js";

const wakeRoute = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("exec"),
    argv: z.array(z.string().max(10_000)).min(1, "expected a program").max(100),
  }),
  z.strictObject({
    kind: z.literal("http"),
    url: z.url({ protocol: /^https?$/, error: "expected an http or https URL" }),
    secret: secretRef.nullable().default(null),
  }),
  z.strictObject({ kind: z.literal("file"), path: absolutePath }),
  z.strictObject({ kind: z.literal("operator") }),
]);

export const sessionsRegister = defineFunction({
  name: "sessions.register",
  since: "0.1.0",
  summary: "Register a session, and how its notices reach it.",
  effect: "write",
  input: z.strictObject({
    /** Registering the same id again replaces what was said before. */
    id: word("the id of a session").optional(),
    harness: word("the name of a harness").default("person"),
    wakeRoute: wakeRoute.default({ kind: "operator" }),
    host: word("the name of a host"),
    project: projectKey.nullable().default(null),
    steering: z.boolean().default(false),
  }),
  output: z.object({ session: sessionShape, resumes: z.boolean(), route: z.string() }),
  async run(context, { id, ...input }) {
    const { project } = input;
    if (project !== null) await storedProject(context, project);
    if (input.steering && project === null) {
      throw new Refused([refuse("project_missing", "The steering seat is of a project.")]);
    }
    try {
      const session = await registerSession(context.db, {
        ...input,
        id: id ?? context.newId(),
        at: context.now(),
      });
      const { automatic, text } = resumption(session.wakeRoute);
      return { session, resumes: automatic, route: text };
    } catch (error) {
      if (violated(error) !== "sessions_steering_seat_unique" || project === null) throw error;
      const seat = await findSteeringSeat(context.db, { project });
      const holder = seat?.id ?? "another session";
      throw new Refused([
        refuse("steering_seat_taken", `Session ${holder} has the steering seat of ${project}.`, {
          project,
          holder,
        }),
      ]);
    }
  },
});
