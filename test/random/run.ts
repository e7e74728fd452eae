/** One random run: its plan, then everybody sets things right until all that was begun has landed, then the checkers. */
import { hostname } from "node:os";
import { check } from "../checkers/index.js";
import { WorkerProcess } from "../faults/worker-process.js";
import { Story } from "../scenarios/story.js";
import { whatIsBusy } from "../scenarios/what-is-busy.js";
import { Crowd } from "./crowd.js";
import { planOf } from "./plan.js";

/** Rounds in which everybody does what they are told; more than any item needs. */
const rounds = 25;

/** Names a plan. */
export interface Seed {
  readonly seed: number;
  /** Steps, beside the first two lanes. */
  readonly steps: number;
}

export interface RandomRun extends Seed {
  readonly landed: number;
  readonly stops: ReadonlyMap<string, number>;
  /** Null: everything landed, and no checker is broken. */
  readonly wrong: string | null;
}

export async function runSeed({ seed, steps }: Seed): Promise<RandomRun> {
  const workers: WorkerProcess[] = [];
  const story = await Story.open({
    host: hostname(),
    worker: async (place) => {
      const worker = await WorkerProcess.start({
        DATABASE_URL: place.databaseUrl,
        TEMPORAL_ADDRESS: place.temporal.address,
        TEMPORAL_NAMESPACE: place.temporal.namespace,
        YOKE_TASK_QUEUE: place.taskQueue,
        YOKE_LOG_LEVEL: "info",
      });
      workers.push(worker);
      return worker;
    },
  });
  const crowd = new Crowd(story, () => workers.at(-1) as WorkerProcess);
  const plan = planOf(seed, steps);
  let wrong: string | null = null;
  try {
    for (const { action, pick } of plan) await crowd.act(action, pick);
    await crowd.answered();
    story.simulator.services.faults.clear();
    await crowd.unfreeze();
    wrong = (await unlanded(story, crowd)) ?? null;
    if (wrong === null) await check(await story.settledWorld());
  } catch (error) {
    wrong = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    await story.end();
  }
  const { members, stops } = crowd;
  const landed = wrong === null ? members.length : 0;
  return { seed, steps, landed, stops, wrong };
}

/** Lets everybody set things right until every item is closed out; what is left, when they never are. */
async function unlanded(story: Story, crowd: Crowd): Promise<string | null> {
  let left: Crowd["members"] = [];
  for (let round = 0; round < rounds; round += 1) {
    left = [];
    for (const member of crowd.members) {
      await crowd.setRight(member);
      if ((await crowd.phase(member.item)) !== "closed_out") left.push(member);
    }
    if (left.length === 0) return null;
    await story.finishChecks();
    await crowd.look();
  }
  const busy = await Promise.all(
    left.map(async ({ item, refused }) =>
      [item, ...refused, ...(await whatIsBusy(story, item))].join("\n  "),
    ),
  );
  return `never landed: ${busy.join("\n")}`;
}
