/** `project.list` */
import { z } from "zod";
import { listProjects } from "../../db/projects.js";
import { defineFunction } from "./define.js";
import { projectShape } from "./record-shapes.js";

export const projectList = defineFunction({
  name: "project.list",
  since: "0.1.0",
  summary: "List the projects.",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ projects: z.array(projectShape) }),
  run: async (context) => ({ projects: await listProjects(context.db) }),
});
