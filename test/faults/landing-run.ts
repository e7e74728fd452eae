/** One landing in a world of its own, with at most one fault on the way. */
import { hostname } from "node:os";
import { join } from "node:path";
import { Story } from "../scenarios/story.js";
import { whatIsBusy } from "../scenarios/what-is-busy.js";
import { gitGate, type GitGate } from "./git-gate.js";
import { GithubSteps } from "./github-steps.js";
import { holderInbox } from "./holder-inbox.js";
import { ended, hold, land } from "./landing-story.js";
import { complaints } from "./outcome.js";
import { postgresProxy, type PostgresProxy } from "./postgres-proxy.js";
import type { Planned, Step } from "./step.js";
import { Tripwire } from "./tripwire.js";
import { WorkerProcess } from "./worker-process.js";

export interface Run {
  /** Every external call of the story, in no order between parties. */
  readonly steps: readonly Step[];
  /** Whether the planned fault happened. */
  readonly met: boolean;
  /** Codes of the refusals after which the person entered the same command again. */
  readonly refusals: readonly string[];
  /** How often the holder received a notice again, under the same key. */
  readonly repeats: number;
  /** What is not as it must be; empty: landed, once. */
  readonly wrong: readonly string[];
  /** From the first command to the end. */
  readonly seconds: number;
}

export async function runLanding(planned: Planned | null): Promise<Run> {
  let worker: WorkerProcess | null = null;
  let proxy: PostgresProxy | null = null;
  let gate: GitGate | null = null;
  const kill = async () => worker?.kill();
  const tripwire = new Tripwire(planned, kill);
  const inbox = await holderInbox(tripwire);
  const story = await Story.open({
    host: hostname(),
    worker: async (place) => {
      proxy = await postgresProxy(place.databaseUrl, tripwire);
      gate = await gitGate(join(place.home, "bin"), tripwire);
      worker = await WorkerProcess.start({
        ...gate.env,
        DATABASE_URL: proxy.url,
        TEMPORAL_ADDRESS: place.temporal.address,
        TEMPORAL_NAMESPACE: place.temporal.namespace,
        YOKE_TASK_QUEUE: place.taskQueue,
        YOKE_LOG_LEVEL: "info",
      });
      return worker;
    },
  });
  try {
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    await hold(story, item, inbox);

    const began = Date.now();
    tripwire.watch();
    const github = new GithubSteps(story.simulator.services, planned, kill);
    const refusals: string[] = [];
    const wrong: string[] = [];
    let steps: readonly Step[] = [];
    let met = false;
    try {
      await land(story, item, lane, refusals);
      await ended(story, item);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      wrong.push(`LOST: ${why}`, ...(await whatIsBusy(story, item)));
    } finally {
      // What is looked at from here on is no part of the story.
      steps = [...github.steps, ...tripwire.steps];
      met = tripwire.met || github.met;
      wrong.push(...github.sentBlindly);
      story.simulator.services.faults.clear();
    }
    wrong.push(...(await complaints({ story, item, commit: lane.head, inbox })));
    const repeats = inbox.received.length - new Set(inbox.received).size;
    return { steps, met, refusals, repeats, wrong, seconds: (Date.now() - began) / 1000 };
  } finally {
    await story.end();
    await (proxy as PostgresProxy | null)?.close();
    await (gate as GitGate | null)?.close();
    await inbox.close();
  }
}
