/** `deployment_runs.show`: a run and its current members (A14.1). */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { runName, runShape, shownRun } from "./deployment-run.js";

export const deploymentRunsShow = defineFunction({
  name: "deployment_runs.show",
  since: "0.2.0",
  summary: "Show a deployment run and its members.",
  effect: "read",
  input: z.strictObject({ run: runName }),
  output: z.object({ run: runShape }),
  async run(context, { run: name }) {
    return { run: await shownRun(context.db, name) };
  },
});
