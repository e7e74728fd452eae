/** `project.get` */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { projectKey } from "./input-shapes.js";
import { projectShape } from "./record-shapes.js";
import { storedProject } from "./stored.js";

export const projectGet = defineFunction({
  name: "project.get",
  since: "0.1.0",
  summary: "Show a project.",
  effect: "read",
  input: z.strictObject({ project: projectKey }),
  output: z.object({ project: projectShape, webhook: z.object({ path: z.string() }) }),
  async run(context, input) {
    const project = await storedProject(context, input.project);
    return { project, webhook: { path: `/webhooks/github/${project.connection}` } };
  },
});
