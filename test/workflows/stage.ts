/** A landing workflow on a real Temporal and a real Postgres, before a scripted GitHub and a scripted git. */
import { randomBytes } from "node:crypto";
import { DefaultLogger, Runtime } from "@temporalio/worker";
import { connect } from "../../db/client.js";
import type { Outcome } from "../../src/functions/define.js";
import type { FunctionContext } from "../../src/functions/context.js";
import { dispatch } from "../../src/functions/dispatch.js";
import type { Git } from "../../src/git/port.js";
import { temporalClient } from "../../src/temporal/connect.js";
import { landingService } from "../../src/temporal/landing-service.js";
import { workflowId } from "../../workflows/names.js";
import { startWorker } from "../../src/worker/run.js";
import { checkedAtTheEnd } from "../checkers/at-the-end.js";
import { childProcesses, type World } from "../checkers/index.js";
import { workflowBundle } from "../setup/bundle.js";
import { freshDatabase } from "../setup/database.js";
import { testTemporal } from "../setup/temporal.js";
import { ScriptedGitHub } from "./scripted-github.js";

Runtime.install({ logger: new DefaultLogger("ERROR") });

// `project.add` checks that the secret it is pointed at can be read.
process.env["YOKE_TEST_TOKEN"] = "a-token-nobody-takes";

const head = "a".repeat(40);
const tree = "b".repeat(40);
export const mergeCommit = "c".repeat(40);
const host = "stage";

export interface Stage {
  readonly github: ScriptedGitHub;
  readonly item: string;
  readonly project: string;
  readonly context: FunctionContext;
  ask(name: string, input: unknown): Promise<Outcome>;
  /** `yoke merge item`, as the command sends it: with `--retry-flake`, by a function of its own. */
  merge(more?: Record<string, unknown>, name?: string): Promise<Outcome>;
  /** One pass over the project. */
  upkeep(): Promise<void>;
  phase(): Promise<string | undefined>;
  /** Timers that the landing's workflow waits for. */
  timers(): Promise<number>;
  /** What the checkers look at. */
  world(): Promise<World>;
  notices(): Promise<readonly { kind: string; reason: string | null; state: string }[]>;
}

/** Git that finds the candidate carried by `mergeCommit` and removes the lane. */
function scriptedGit(): Git {
  const proof = {
    mergeCommit,
    mergeTree: tree,
    contributedCommits: [head],
    changedFiles: ["tea.txt"],
    gateHead: mergeCommit,
    how: "merge" as const,
  };
  return {
    readLane: () => Promise.reject(new Error("no lane is read here")),
    version: () => Promise.resolve("2.39.5"),
    proveCarried: () => Promise.resolve({ ok: true, proof }),
    pushUrls: () => Promise.resolve(["http://127.0.0.1:1/acme/shop.git"]),
    deleteRemoteBranch: () => Promise.reject(new Error("no branch is deleted here")),
    removeLane: ({ branch, worktree }) => Promise.resolve({ removed: true, branch, worktree }),
  };
}

export async function stage(): Promise<Stage> {
  const before = await childProcesses();
  const project = `W${randomBytes(4).toString("hex").toUpperCase()}`;
  const github = new ScriptedGitHub(project);
  github.branchHead = head;
  const database = await freshDatabase();
  const pool = connect(database.url, { max: 6 });
  const target = { ...(await testTemporal()), tls: null, apiKey: null };
  const temporal = temporalClient(target);
  const taskQueue = `stage-${project}`;
  const now = () => new Date().toISOString();
  const worker = await startWorker({
    temporal: target,
    taskQueue,
    workflowBundle: await workflowBundle(),
    client: temporal.client,
    host,
    dependencies: {
      db: pool.executor,
      git: scriptedGit(),
      github: () => github,
      gitCredential: () => Promise.resolve(null),
      now,
    },
  });
  const context: FunctionContext = {
    db: pool.executor,
    landings: landingService(temporal.client, taskQueue),
    github: () => github,
    now,
    newId: () => randomBytes(8).toString("hex"),
    session: null,
    taskQueue,
  };
  const world = async (): Promise<World> => ({
    db: pool.executor,
    temporal: temporal.client,
    project,
    workflowBundle: await workflowBundle(),
    simulator: null,
    clone: null,
  });
  checkedAtTheEnd({
    world: () => {
      if (github.unused.length > 0) throw new Error(`unmet: ${JSON.stringify(github.unused)}`);
      return world();
    },
    close: async () => {
      await temporal.client.schedule
        .getHandle(`upkeep:${project}`)
        .delete()
        .catch(() => undefined);
      worker.stop();
      await worker.done;
      await temporal.close();
      await pool.close();
    },
    database,
    before,
  });
  const ask = (name: string, input: unknown) => dispatch(context, name, input);
  const must = async (name: string, input: unknown) => {
    const outcome = await ask(name, input);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusals));
    return outcome.output as { item: { key: string } };
  };
  await must("project.add", {
    key: project,
    repository: "acme/shop",
    apiUrl: "http://127.0.0.1:1",
    credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" },
    requirement: "npm test",
    upkeepSeconds: 3600,
  });
  const { item } = await must("items.add", { project, title: "Sell tea" });
  await must("qualifications.record", {
    item: item.key,
    commit: head,
    tree,
    verdict: "passed",
    evidence: "npm test passed",
  });
  return {
    github,
    item: item.key,
    project,
    context,
    ask,
    merge: (more = {}, name = "merge.item") =>
      ask(name, {
        item: item.key,
        lane: {
          path: "/lane",
          commonDir: "/repository/.git",
          branch: "lane/tea",
          head,
          tree,
          dirty: [],
          linkedWorktree: true,
        },
        host,
        remote: "origin",
        ...more,
      }),
    upkeep: async () => {
      await context.landings.refreshAll(project);
    },
    timers: async () => {
      const handle = temporal.client.workflow.getHandle(workflowId.landing(item.key));
      const { events = [] } = await handle.fetchHistory();
      const count = (
        what:
          | "timerStartedEventAttributes"
          | "timerCanceledEventAttributes"
          | "timerFiredEventAttributes",
      ) => (events ?? []).filter((event) => event[what] != null).length;
      return (
        count("timerStartedEventAttributes") -
        count("timerCanceledEventAttributes") -
        count("timerFiredEventAttributes")
      );
    },
    phase: async () => (await context.landings.view(item.key))?.state.phase,
    world,
    notices: async () => {
      const outcome = await ask("notices.list", { item: item.key });
      return (outcome.ok ? outcome.output : { notices: [] }) as never;
    },
  };
}
