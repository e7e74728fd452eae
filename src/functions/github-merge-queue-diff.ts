/** `github.merge_queue.diff`: the gate branch's declaration beside the live rules. Reads only (A2.4). */
import { z } from "zod";
import { EXIT } from "../core/refusals.js";
import { defineFunction } from "./define.js";
import { compareGate, differenceShape, readGate } from "./gate-of-project.js";
import { projectKey } from "./input-shapes.js";
import { storedProject } from "./stored.js";

export const githubMergeQueueDiff = defineFunction({
  name: "github.merge_queue.diff",
  since: "0.2.0",
  summary: "Compare the gate branch's declaration with the rules that GitHub enforces.",
  effect: "read",
  input: z.strictObject({ project: projectKey }),
  output: z.object({
    project: z.string(),
    gateBranch: z.string(),
    /** Commit of the gate branch whose declaration was read. */
    head: z.string().nullable(),
    equal: z.boolean(),
    differences: z.array(differenceShape),
  }),
  exit: ({ equal }) => (equal ? EXIT.ok : EXIT.failed),
  async run(context, input) {
    const project = await storedProject(context, input.project);
    const { gate, differences } = compareGate(project, await readGate(context, project));
    return {
      project: project.key,
      gateBranch: project.gateBranch,
      head: gate.head,
      equal: differences.length === 0,
      differences: [...differences],
    };
  },
});
