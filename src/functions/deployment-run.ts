/** What the functions on deployment runs share: the run, its shape, and who may change it (A14.1). */
import { z } from "zod";
import type { Executor } from "../../db/client.js";
import { findDeploymentRun, listMembers } from "../../db/deployment-runs.js";
import type { DeploymentRun } from "../core/release/model.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { word } from "./input-shapes.js";

export const runName = word("the name of a deployment run");

export const runShape = z.object({
  name: z.string(),
  project: z.string(),
  createdAt: z.string(),
  admittedAt: z.string().nullable(),
  members: z.array(
    z.object({
      item: z.string(),
      addedAt: z.string(),
      pullRequest: z.number().nullable(),
      mergeCommit: z.string().nullable(),
    }),
  ),
});

export async function storedRun(
  db: Executor,
  name: string,
  lock: boolean = false,
): Promise<DeploymentRun> {
  const run = await findDeploymentRun(db, { name, lock });
  if (run !== null) return run;
  throw new Refused([
    refuse("deployment_run_unknown", `There is no deployment run ${name}.`, { run: name }),
  ]);
}

/** Locked for the rest of the transaction; throws when it was admitted. */
export async function openRun(db: Executor, name: string): Promise<DeploymentRun> {
  const run = await storedRun(db, name, true);
  if (run.admittedAt === null) return run;
  throw new Refused([
    refuse("deployment_run_admitted", `${name} was admitted at ${run.admittedAt}.`, { run: name }),
  ]);
}

export async function shownRun(db: Executor, name: string): Promise<z.output<typeof runShape>> {
  return { ...(await storedRun(db, name)), members: await listMembers(db, { run: name }) };
}
