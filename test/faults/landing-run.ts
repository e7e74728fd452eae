/** One landing from the person's first command to its close-out, with at most one fault on the way. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Client } from "@temporalio/client";
import { Refused } from "../../src/functions/context.js";
import { workflowId } from "../../workflows/names.js";
import { Story, type Lane } from "../scenarios/story.js";
import { until } from "../bench/until.js";
import { gitGate, type GitGate } from "./git-gate.js";
import { GithubSteps } from "./github-steps.js";
import { holderInbox, type HolderInbox } from "./holder-inbox.js";
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
}

/** Commands a person enters before they call it lost. */
const patience = 5;

export async function runLanding(planned: Planned | null, temporal: Client): Promise<Run> {
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

    tripwire.watch();
    const github = new GithubSteps(story.simulator.services, planned, kill);
    const refusals: string[] = [];
    const wrong: string[] = [];
    try {
      await land(story, item, lane, refusals);
      await ended(item, temporal);
    } catch (error) {
      wrong.push(`LOST: ${error instanceof Error ? error.message : String(error)}`);
    }
    wrong.push(...(await complaints({ story, item, lane, inbox, temporal })));
    return {
      steps: [...github.steps, ...tripwire.steps],
      met: tripwire.met || github.met,
      refusals,
      repeats: inbox.received.length - new Set(inbox.received).size,
      wrong,
    };
  } finally {
    await story.end();
    await (proxy as PostgresProxy | null)?.close();
    await (gate as GitGate | null)?.close();
    await inbox.close();
  }
}

/** A session holds the item; its notices go to the inbox. */
async function hold(story: Story, item: string, inbox: HolderInbox): Promise<void> {
  const { session } = await story.ok<{ session: { id: string } }>("sessions.register", {
    id: `holder of ${item}`.replaceAll(" ", "-"),
    host: story.host,
    project: story.project,
    wakeRoute: { kind: "http", url: inbox.url },
  });
  await story.ok("claim.take", { item, session: session.id });
}

async function land(story: Story, item: string, lane: Lane, refusals: string[]): Promise<void> {
  await enter(story, item, lane, ["landing_pending", "landed"], refusals);
  // Checks of the head, then of the group.
  await story.finishChecks();
  await story.finishChecks();
  await noticed(story, item);
  await enter(story, item, lane, ["landed"], refusals);
}

/** The person enters the command, and the same again after a refusal. */
async function enter(
  story: Story,
  item: string,
  lane: Lane,
  wanted: readonly string[],
  refusals: string[],
): Promise<void> {
  let last = "";
  for (let turn = 0; turn < patience; turn += 1) {
    const answer = await story.merge(item, lane.path, {
      result: "tea is sold",
      verification: "npm test",
    });
    if (answer.ok && wanted.includes(answer.output.outcome)) return;
    if (answer.ok) last = answer.output.outcome;
    else {
      last = answer.refusals.map(({ code, message }) => `${code}: ${message}`).join("; ");
      refusals.push(...answer.refusals.map(({ code }) => code));
    }
  }
  throw new Error(`${patience} times entered, and the answer is still: ${last}`);
}

/** Upkeep passes, as the schedule runs them, until the notice of the landing is delivered. */
async function noticed(story: Story, item: string): Promise<void> {
  const delivered = async () => {
    const { notices } = await story.ok<{ notices: { kind: string; state: string }[] }>(
      "notices.list",
      { item },
    );
    const there = notices.some(({ kind, state }) => kind === "landed" && state === "delivered");
    return there ? true : null;
  };
  for (let pass = 1; ; pass += 1) {
    try {
      await story.upkeep();
    } catch (error) {
      // The schedule has no caller either; its next pass comes.
      if (!(error instanceof Refused)) throw error;
    }
    try {
      await until("the notice of the landing", delivered, 12_000);
      return;
    } catch (error) {
      if (pass === patience) throw error;
    }
  }
}

/** The workflow ends once its last answer is given. */
async function ended(item: string, temporal: Client): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId.landing(item));
  await until(
    "the end of the landing's workflow",
    async () => ((await handle.describe()).status.name === "RUNNING" ? null : true),
    30_000,
  );
}
