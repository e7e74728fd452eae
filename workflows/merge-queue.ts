/**
 * One run of a repository's local queue, until nothing is left that can be judged. Workflow id:
 * `merge-queue:<repository key>` (C1.4). All its activities are on the task queue of a host that has the repository.
 */
import {
  CancellationScope,
  defineQuery,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from "@temporalio/workflow";
import { profiles } from "../activities/profiles.js";
import { searchBatch } from "../src/core/local-queue/batch/search.js";
import { batchSize } from "../src/core/local-queue/batch/size.js";
import type { QueueHost } from "../src/core/local-queue/run/host.js";
import { describeProgress, type Progress } from "../src/core/local-queue/run/progress.js";
import { begun, settledBy, summed, type BatchDone } from "../src/core/local-queue/run/summary.js";
import type { Opened, RunSummary } from "../src/core/local-queue/run/model.js";
import { tryTrial, type TrialHost } from "./merge-queue-steps/trial.js";
import { queries, type MergeQueueInput } from "./names.js";

export const mergeQueueProgress = defineQuery<Progress>(queries.mergeQueueProgress);

/** How often the base may move under a run before the run gives up for now. */
const mostMoves = 10;

export async function mergeQueue(input: MergeQueueInput): Promise<RunSummary> {
  const { taskQueue, ...run } = input;
  const short = proxyActivities<QueueHost>({ ...profiles.queueGit, taskQueue });
  const gates = proxyActivities<QueueHost>({ ...profiles.queueGate, taskQueue });
  let progress: Progress = { doing: "looking", batch: [], trial: [], gates: [], trials: 0 };
  const show = (changed: Partial<Progress>): void => {
    progress = { ...progress, ...changed };
    setCurrentDetails(describeProgress(progress));
  };
  setHandler(mergeQueueProgress, () => progress);

  let summary = begun;
  /** Candidates that this run does not try again. */
  const aside = new Set<string>();
  for (let moves = 0; moves < mostMoves;) {
    show({ doing: "looking", batch: [], trial: [], gates: [] });
    const opened: Opened = await short.openQueue(run);
    if (opened.is === "refused") return { ...summary, refusals: opened.refusals };
    const { base, host } = opened;
    const waiting = opened.queue.filter(({ id }) => !aside.has(id));
    if (waiting.length === 0) return summary;
    const batch = waiting.slice(0, batchSize(opened.batchSize, opened.judged));
    show({ doing: "testing", batch: batch.map(({ branch }) => branch) });

    const built = new Map<string, string>();
    let [trials, gateRuns] = [0, 0];
    const trialHost: TrialHost = {
      build: (members) => short.buildTrial({ ...run, base, members }),
      judge: async (commit, { name }) => {
        const judged = await gates.judgeGate({ ...run, base, commit, gate: name });
        gateRuns += judged.runs;
        return judged.verdict;
      },
    };
    const search = searchBatch(batch.map(({ id }) => id));
    let step = search.next();
    while (step.done !== true) {
      const trial = step.value;
      trials += 1;
      show({ trial: trial.members, trials: summary.trials + trials });
      const tried = await tryTrial(trialHost, trial, host, (running) => show({ gates: running }));
      if (tried.commit !== null) built.set(trial.members.join("\0"), tried.commit);
      step = search.next(tried.verdict);
    }
    const result = step.value;
    const commit = built.get(result.land.join("\0")) ?? null;

    show({ doing: "landing", trial: result.land, gates: [] });
    // What was proved is recorded, and what began to land lands, also when the run is ended meanwhile.
    const landed = await CancellationScope.nonCancellable(async () => {
      await short.recordVerdicts({ ...run, base, result });
      if (result.land.length === 0 || commit === null) return null;
      return short.landBatch({ ...run, base, commit, members: result.land });
    });
    if (landed?.is === "base_moved") moves += 1;
    const done: BatchDone = { batch, base, result, landed, commit, trials, gateRuns };
    for (const id of settledBy(done)) aside.add(id);
    summary = summed(summary, done);
    if (summary.refusals.length > 0 || summary.undecidable !== null) return summary;
  }
  return summary;
}
