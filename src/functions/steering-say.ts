/** `steering.say`: a word to the project's steering seat (A6.4). */
import { z } from "zod";
import { violated } from "../../db/client.js";
import { findSteeringSeat } from "../../db/sessions.js";
import { sayToSteering } from "../../db/steering.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { itemKey, projectKey, words } from "./input-shapes.js";
import { steeringMessageShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const steeringSay = defineFunction({
  name: "steering.say",
  since: "0.1.0",
  summary: "Say something to the steering seat of a project.",
  effect: "write",
  input: z.strictObject({
    text: words("what to say", 20_000),
    item: itemKey.optional(),
    /** Not needed beside an item. */
    project: projectKey.optional(),
  }),
  output: z.object({
    message: steeringMessageShape,
    /** Session in the seat; null while nobody has it: the message waits. */
    seat: z.string().nullable(),
  }),
  async run(context, { text, item, project: named }) {
    const key = item === undefined ? named : (await storedItem(context, item)).project;
    if (key === undefined) {
      throw new Refused([refuse("project_missing", "Neither a project nor an item was named.")]);
    }
    const project = await storedProject(context, key);
    try {
      const message = await sayToSteering(context.db, {
        id: context.newId(),
        project: project.key,
        item: item ?? null,
        fromSession: context.session,
        text,
        at: context.now(),
      });
      const seat = await findSteeringSeat(context.db, { project: project.key });
      return { message, seat: seat?.id ?? null };
    } catch (error) {
      if (violated(error) !== "steering_messages_from_session_sessions_id_fk") throw error;
      const session = String(context.session);
      throw new Refused([
        refuse("session_unknown", `No session has the id ${session}.`, { session }),
      ]);
    }
  },
});
