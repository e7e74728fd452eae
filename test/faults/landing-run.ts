/** One landing from the person's first command to its close-out, with at most one fault on the way. */
import { hostname } from "node:os";
import { join } from "node:path";
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
  /** From the first command to the end. */
  readonly seconds: number;
}

/** Commands a person enters before they call it lost. */
const patience = 5;

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
      wrong.push(`LOST: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      // What is looked at from here on is no part of the story.
      steps = [...github.steps, ...tripwire.steps];
      met = tripwire.met || github.met;
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
    const { notices } = await story.ok<{ notices: { kind: string; deliveredAt: string | null }[] }>(
      "notices.list",
      { item, all: true },
    );
    return notices.some((one) => one.kind === "landed" && one.deliveredAt !== null) ? true : null;
  };
  for (let pass = 1; ; pass += 1) {
    if (!(await passed(story)) && pass < patience) continue;
    try {
      await until("the notice of the landing", delivered, 12_000);
      return;
    } catch (error) {
      if (pass === patience) throw error;
    }
  }
}

/** One pass of upkeep; false when it could not read GitHub, or nobody answered: the schedule has its next one. */
async function passed({ context, project }: Story): Promise<boolean> {
  try {
    return (await context.landings.refreshAll(project)).refreshError === null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/** The workflow ends once its last answer is given. */
async function ended(story: Story, item: string): Promise<void> {
  const handle = story.temporal.workflow.getHandle(workflowId.landing(item));
  await until(
    "the end of the landing's workflow",
    async () => ((await handle.describe()).status.name === "RUNNING" ? null : true),
    30_000,
  );
}
