/** `deployment_runs.create`: a run that items are added to (A14.1). */
import { z } from "zod";
import { createDeploymentRun } from "../../db/deployment-runs.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { runName, runShape, shownRun } from "./deployment-run.js";
import { projectKey } from "./input-shapes.js";
import { storedProject } from "./stored.js";

export const deploymentRunsCreate = defineFunction({
  name: "deployment_runs.create",
  since: "0.2.0",
  summary: "Create a deployment run, to which landed items are added.",
  effect: "write",
  input: z.strictObject({ run: runName, project: projectKey }),
  output: z.object({ run: runShape }),
  async run(context, { run: name, project }) {
    await storedProject(context, project);
    const { created } = await createDeploymentRun(context.db, { name, project, at: context.now() });
    if (!created) {
      throw new Refused([
        refuse("deployment_run_exists", `There is a deployment run ${name}.`, { run: name }),
      ]);
    }
    return { run: await shownRun(context.db, name) };
  },
});
