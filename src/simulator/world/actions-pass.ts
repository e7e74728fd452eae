/** One pass over the runs of a repository: runners take jobs, due jobs end, runs follow their jobs. */
import { currentJobs } from "./actions.js";
import { announceRun } from "./announce-check.js";
import type { Engine } from "./engine.js";
import * as jobs from "./jobs.js";
import type { WorkflowRun } from "./model.js";
import type { RepositoryState } from "./state.js";
import { worstConclusion } from "./suite.js";

/** True when something changed. */
export async function actionsPass(engine: Engine, state: RepositoryState): Promise<boolean> {
  let changed = false;
  for (const run of state.workflowRuns) {
    if (run.status === "completed") continue;
    for (const job of currentJobs(run)) {
      if (await jobs.start(engine, state, run, job)) changed = true;
      if (job.concludesAt === null || Date.parse(job.concludesAt) > engine.now()) continue;
      await jobs.conclude(engine, state, run, job, jobs.scriptedConclusion(job));
      changed = true;
    }
    if (await follow(engine, state, run)) changed = true;
  }
  return changed;
}

async function follow(engine: Engine, state: RepositoryState, run: WorkflowRun): Promise<boolean> {
  const current = currentJobs(run);
  if (run.status === "queued" && current.some((job) => job.status !== "queued")) {
    run.status = "in_progress";
    run.updatedAt = engine.stamp();
    await announceRun(engine, state, run, "in_progress");
    return true;
  }
  if (!current.every((job) => job.status === "completed")) return false;
  run.status = "completed";
  run.conclusion = worstConclusion(current.map((job) => job.conclusion));
  run.updatedAt = engine.stamp();
  await announceRun(engine, state, run, "completed");
  return true;
}
