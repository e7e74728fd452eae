/** One story in a world of its own, with at most one fault on the way. */
import { hostname } from "node:os";
import { join } from "node:path";
import { Story } from "../scenarios/story.js";
import { whatIsBusy } from "../scenarios/what-is-busy.js";
import { gitGate, type GitGate } from "./git-gate.js";
import { GithubSteps } from "./github-steps.js";
import { holderInbox } from "./holder-inbox.js";
import { complaints, type Expected } from "./outcome.js";
import { Person } from "./person.js";
import { postgresProxy, type PostgresProxy } from "./postgres-proxy.js";
import type { Servers } from "./servers.js";
import type { Planned, Step, Victim } from "./step.js";
import { Tripwire } from "./tripwire.js";
import { WorkerProcess } from "./worker-process.js";

/** What is told again and again; it always ends landed. */
export interface SweptStory {
  /** What happens before: no fault is planned for it. */
  readonly before: (person: Person) => Promise<void>;
  readonly tell: (person: Person) => Promise<void>;
  /** What must still come of it: no fault is planned for that either. */
  readonly afterwards: (person: Person) => Promise<void>;
  readonly expected: Expected;
}

export interface Run {
  /** Every external call of what is told, in no order between parties. */
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

/** `servers`: Temporal and Postgres of this run, which can be killed; without them those of the test run. */
export async function runSwept(
  swept: SweptStory,
  planned: Planned | null,
  servers: Servers | null = null,
): Promise<Run> {
  let worker: WorkerProcess | null = null;
  let proxy: PostgresProxy | null = null;
  let gate: GitGate | null = null;
  const kill = async (victim: Victim) =>
    victim === "worker" ? worker?.kill() : servers?.kill(victim);
  const up = async () => servers?.up();
  const tripwire = new Tripwire(planned, kill);
  const inbox = await holderInbox(tripwire);
  const story = await Story.open({
    ...(servers === null ? {} : { temporal: servers.temporal, postgres: servers.postgres }),
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
    const person = new Person(story, item, lane, up);
    await person.take(inbox);
    await swept.before(person);

    const began = Date.now();
    tripwire.watch();
    const github = new GithubSteps(story.simulator.services, planned, kill);
    const wrong: string[] = [];
    let steps: readonly Step[] = [];
    let met = false;
    try {
      await swept.tell(person);
      steps = [...github.steps, ...tripwire.steps];
      await swept.afterwards(person);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      wrong.push(`LOST: ${why}`, ...(await whatIsBusy(story, item)));
    } finally {
      // What is looked at from here on is no part of the story.
      met = tripwire.met || github.met;
      wrong.push(...github.sentBlindly);
      story.simulator.services.faults.clear();
    }
    await up();
    const { expected } = swept;
    wrong.push(...(await complaints({ story, item, commit: lane.head, inbox, expected })));
    const repeats = inbox.received.length - new Set(inbox.received).size;
    const { refusals } = person;
    return { steps, met, refusals, repeats, wrong, seconds: (Date.now() - began) / 1000 };
  } finally {
    await up();
    await story.end();
    await (proxy as PostgresProxy | null)?.close();
    await (gate as GitGate | null)?.close();
    await inbox.close();
  }
}
