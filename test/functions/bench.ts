/** The action core on a real database, with Temporal and GitHub in memory: they record what is asked of them. */
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "../../db/client.js";
import type { Refusal } from "../../src/core/refusals.js";
import type { FunctionContext, LandingService } from "../../src/functions/context.js";
import { dispatch, type Outcome } from "../../src/functions/dispatch.js";
import type { GitHub, RepositoryFacts } from "../../src/github/port.js";
import type { HoldAnswer, MergeAnswer, RefreshAnswer } from "../../workflows/names.js";
import { noon, sha } from "../db/sample.js";
import { freshDatabase, type TestDatabase } from "../setup/database.js";

export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface Bench {
  readonly context: FunctionContext;
  /** What was asked of GitHub and of Temporal, in order. */
  readonly github: Call[];
  readonly landings: Call[];
  /** What they answer; a test changes it. */
  readonly answers: {
    facts: RepositoryFacts | Error;
    merge: MergeAnswer;
    hold: HoldAnswer;
    refresh: () => Promise<RefreshAnswer>;
    pollers: number;
    upkeep: Error | null;
  };
  now: string;
  /** The output; throws when the function refused. `session`: who asks, a person without one by default. */
  done(name: string, input: unknown, session?: string): Promise<Record<string, unknown>>;
  /** The refusals; throws when the function did it. */
  refusals(name: string, input: unknown, session?: string): Promise<readonly Refusal[]>;
  ask(name: string, input: unknown, session?: string): Promise<Outcome>;
}

export const goodFacts: RepositoryFacts = {
  id: 4711,
  nodeId: "R_1",
  defaultBranch: "main",
  autoMergeAllowed: true,
  gateBranchHead: sha("d"),
  queue: { url: "https://github.com/acme/widgets/queue/main", mergeMethod: "MERGE" },
  viewer: "robot",
};

/** A database for the test file; each call of the answer makes a bench on it with nothing recorded. */
export function benchOfFile(): () => Bench {
  let database: TestDatabase;
  let connection: Database;
  beforeAll(async () => {
    database = await freshDatabase();
    connection = connect(database.url);
  });
  afterAll(async () => {
    await connection.close();
    await database.drop();
  });
  return () => benchOn(connection);
}

let ids = 0;

export function benchOn(connection: Database): Bench {
  const github: Call[] = [];
  const landings: Call[] = [];
  const answers: Bench["answers"] = {
    facts: goodFacts,
    merge: { outcome: "refused", refusals: [] },
    hold: { outcome: "refused", refusals: [] },
    refresh: () => Promise.resolve({ observed: 0, changed: 0, refreshError: null }),
    pollers: 1,
    upkeep: null,
  };
  const asked = (method: string, ...args: readonly unknown[]) => landings.push({ method, args });
  const service: LandingService = {
    async merge(...args) {
      asked("merge", ...args);
      return Promise.resolve(answers.merge);
    },
    async hold(...args) {
      asked("hold", ...args);
      return Promise.resolve(answers.hold);
    },
    async view(...args) {
      asked("view", ...args);
      return Promise.resolve(null);
    },
    async touch(...args) {
      asked("touch", ...args);
      return Promise.resolve();
    },
    async refreshAll(...args) {
      asked("refreshAll", ...args);
      return answers.refresh();
    },
    async ensureUpkeep(...args) {
      asked("ensureUpkeep", ...args);
      return answers.upkeep === null ? Promise.resolve() : Promise.reject(answers.upkeep);
    },
    async pollers(hosts) {
      asked("pollers", hosts);
      const queues = ["yoke", ...hosts.map((host) => `yoke-host-${host}`)];
      return Promise.resolve(queues.map((queue) => ({ queue, pollers: answers.pollers })));
    },
  };
  const bench: Bench = {
    context: {
      db: connection.executor,
      landings: service,
      github: () => recordingGitHub(github, answers),
      now: () => bench.now,
      newId: () => `id-${String((ids += 1))}`,
      session: null,
      taskQueue: "yoke",
    },
    github,
    landings,
    answers,
    now: noon,
    ask: (name, input, session) =>
      dispatch({ ...bench.context, session: session ?? null }, name, input),
    async done(name, input, session) {
      const outcome = await bench.ask(name, input, session);
      if (outcome.ok) return outcome.output as Record<string, unknown>;
      throw new Error(`${name} refused: ${JSON.stringify(outcome.refusals)}`);
    },
    async refusals(name, input, session) {
      const outcome = await bench.ask(name, input, session);
      if (!outcome.ok) return outcome.refusals;
      throw new Error(`${name} did it: ${JSON.stringify(outcome.output)}`);
    },
  };
  return bench;
}

/** Answers `repository`; everything else is recorded and fails, since no function may ask for it. */
function recordingGitHub(calls: Call[], answers: Bench["answers"]): GitHub {
  return new Proxy({} as GitHub, {
    get:
      (_target, method) =>
      (...args: readonly unknown[]) => {
        calls.push({ method: String(method), args });
        if (method === "repository" && !(answers.facts instanceof Error)) {
          return Promise.resolve(answers.facts);
        }
        const failure = answers.facts instanceof Error ? answers.facts : null;
        return Promise.reject(failure ?? new Error(`a function asked GitHub: ${String(method)}`));
      },
  });
}

export const codes = (refusals: readonly Refusal[]): readonly string[] =>
  refusals.map(({ code }) => code);
