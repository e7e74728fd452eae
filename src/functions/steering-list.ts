/** `steering.list`: what was said to the steering seat. */
import { z } from "zod";
import { listSteeringMessages } from "../../db/steering.js";
import { defineFunction } from "./define.js";
import { projectKey } from "./input-shapes.js";
import { steeringMessageShape } from "./record-shapes.js";
import { storedProject } from "./stored.js";

export const steeringList = defineFunction({
  name: "steering.list",
  since: "0.1.0",
  summary: "List what was said to the steering seat of a project, in order.",
  effect: "read",
  input: z.strictObject({ project: projectKey }),
  output: z.object({ messages: z.array(steeringMessageShape) }),
  async run(context, { project }) {
    await storedProject(context, project);
    return { messages: await listSteeringMessages(context.db, { project }) };
  },
});
