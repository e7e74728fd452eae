/** How the world moves on: passes until nothing changes, and when time alone changes something. */
import { actionsPass } from "./actions-pass.js";
import { autoMergePass } from "./auto-merge.js";
import type { Engine, Laws } from "./engine.js";
import type { QueueEntry } from "./model.js";
import { queuePass, timeoutOf, waitEndOf } from "./queue-pass.js";
import { writeRefusedRefs } from "./ref-locks.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

/** A world that still changes after so many passes would change for ever. */
const MOST_PASSES = 10_000;

export const LAWS: Laws = {
  async reconcile(engine) {
    for (const state of living(engine)) await reconcileRepository(engine, state);
  },

  nextDue(engine) {
    const due = living(engine)
      .flatMap((state) => [...jobEnds(state), ...timeouts(state), ...waitEnds(state)])
      .filter((at) => at > engine.now());
    return due.length === 0 ? null : Math.min(...due);
  },

  pending(engine) {
    return living(engine).flatMap((state) => [
      ...jobEnds(state).map(() => "a job that is running"),
      ...waitEnds(state)
        .filter((at) => at > engine.now())
        .map(() => "a queue that waits for more entries"),
    ]);
  },
};

function living(engine: Engine): RepositoryState[] {
  return engine.state.repositories.filter((state) => !state.repository.deleted);
}

async function reconcileRepository(engine: Engine, state: RepositoryState): Promise<void> {
  for (let pass = 0; ; pass += 1) {
    if (pass > MOST_PASSES)
      throw new Error(
        `the world does not settle: ${state.repository.owner}/${state.repository.name}`,
      );
    const changed = await onePass(engine, state);
    if (!changed) break;
  }
  await writeRefusedRefs(engine, state);
}

async function onePass(engine: Engine, state: RepositoryState): Promise<boolean> {
  let changed = await actionsPass(engine, state);
  changed = (await autoMergePass(engine, state)) || changed;
  for (const queue of state.queues) changed = (await queuePass(engine, state, queue)) || changed;
  return changed;
}

function jobEnds(state: RepositoryState): number[] {
  return state.workflowRuns
    .filter((run) => run.status !== "completed")
    .flatMap((run) => run.jobs)
    .flatMap((job) => (job.concludesAt === null ? [] : [Date.parse(job.concludesAt)]));
}

function timeouts(state: RepositoryState): number[] {
  return state.queues.flatMap((queue) => {
    const settings = branchRules(state.repository, queue.branch).mergeQueue;
    if (settings === null) return [];
    return queue.entries
      .map((entry: QueueEntry) => timeoutOf(entry, settings))
      .filter((at) => at !== null);
  });
}

/** Only while something green waits: otherwise the end of the wait changes nothing. */
function waitEnds(state: RepositoryState): number[] {
  return state.queues.flatMap((queue) => {
    const settings = branchRules(state.repository, queue.branch).mergeQueue;
    if (settings === null || !queue.entries.some((entry) => entry.state === "MERGEABLE")) return [];
    const end = waitEndOf(queue, settings);
    return end === null ? [] : [end];
  });
}
