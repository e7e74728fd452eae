/** A world to tell stories in: the simulated GitHub, a real Postgres, a real Temporal, a worker, and a lane in real git. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "@temporalio/client";
import { DefaultLogger, Runtime } from "@temporalio/worker";
import { connect } from "../../db/client.js";
import { findLanding } from "../../db/landings.js";
import type { Outcome } from "../../src/functions/define.js";
import { dispatch } from "../../src/functions/dispatch.js";
import type { FunctionContext } from "../../src/functions/context.js";
import { LOST_A_RACE } from "../../src/git/fetch-gate.js";
import { createGit, GitError } from "../../src/git/index.js";
import { projectClients } from "../../src/github/for-project.js";
import { startSimulator } from "../../src/simulator/index.js";
import type { JobScript, QueueSettings, Repository } from "../../src/simulator/world/model.js";
import { temporalClient, type TemporalTarget } from "../../src/temporal/connect.js";
import { landingService } from "../../src/temporal/landing-service.js";
import { startWorker, type RunningWorker } from "../../src/worker/run.js";
import { checkedAtTheEnd } from "../checkers/at-the-end.js";
import { childProcesses, type World } from "../checkers/index.js";
import { workflowBundle } from "../setup/bundle.js";
import { freshDatabase, type TestDatabase } from "../setup/database.js";
import { testTemporal } from "../setup/temporal.js";
import type { DatabaseService, TemporalService } from "../setup/answers.js";
import { whatIsBusy } from "./what-is-busy.js";

const run = promisify(execFile);

Runtime.install({ logger: new DefaultLogger("ERROR") });

export interface Lane {
  readonly path: string;
  readonly branch: string;
  readonly head: string;
  readonly tree: string;
}

/** What the worker of a story works for. */
export interface Workplace {
  readonly temporal: TemporalTarget;
  readonly taskQueue: string;
  readonly databaseUrl: string;
  /** A folder that is gone when the story has ended. */
  readonly home: string;
}

export interface StoryOptions {
  readonly jobs?: readonly JobScript[];
  /** GitHub's clock; a stepped one stands still until the story moves it. Default: real. */
  readonly clock?: "real" | "stepped";
  /** Starts the worker otherwise than in this process; it polls as a worker of `host`. */
  readonly worker?: (place: Workplace) => Promise<RunningWorker>;
  readonly host?: string;
  /** Another Temporal than the one of the test run. */
  readonly temporal?: TemporalService;
  /** Another Postgres than the one of the test run. */
  readonly postgres?: DatabaseService;
  /** The merge queue of the gate branch, where it differs from the simulator's own settings. */
  readonly queue?: Partial<QueueSettings>;
  /** What `project.add` is given more. */
  readonly project?: Readonly<Record<string, unknown>>;
}

/** Patience of a story's wait, in milliseconds. */
const settleMs = 30_000;

export class Story {
  /** Commits of the gate branch that a person put there; the checkers ask no qualification of them. */
  readonly byPeople: string[] = [];
  /** Items whose lane is meant to be kept though they landed. */
  readonly keptLanes: string[] = [];

  private constructor(
    readonly simulator: Awaited<ReturnType<typeof startSimulator>>,
    readonly repository: Repository,
    readonly context: FunctionContext,
    readonly temporal: Client,
    readonly home: string,
    readonly worker: { current: RunningWorker; restart: () => Promise<void> },
    readonly project: string,
    readonly host: string,
    readonly database: TestDatabase,
    /** Ends everything the story started; its database is left to be looked at. */
    readonly close: () => Promise<void>,
  ) {}

  /** Runs `git` as a person would, in `folder`. */
  static async git(folder: string, ...args: string[]): Promise<string> {
    const { stdout } = await run("git", args, {
      cwd: folder,
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: "Robin",
        GIT_AUTHOR_EMAIL: "robin@example.org",
        GIT_COMMITTER_NAME: "Robin",
        GIT_COMMITTER_EMAIL: "robin@example.org",
      },
    });
    return stdout.trim();
  }

  /** As a person fetches, and repeats it when yoke, which fetches for the lanes of the same repository, was there first. */
  static async fetch(folder: string): Promise<void> {
    for (let more = 4; ; more -= 1) {
      try {
        await Story.git(folder, "fetch", "-q", "origin");
        return;
      } catch (error) {
        if (more === 0 || !LOST_A_RACE.test(String(error))) throw error;
      }
    }
  }

  /** A story that ends with its test, and is checked then. */
  static async begin(options: StoryOptions = {}): Promise<Story> {
    const before = await childProcesses();
    const story = await Story.open(options);
    const { database, close } = story;
    checkedAtTheEnd({ world: () => story.settledWorld(), close, database, before });
    return story;
  }

  /** A story that somebody ends. */
  static async open(options: StoryOptions = {}): Promise<Story> {
    const { host = "lane-host" } = options;
    const home = await mkdtemp(join(tmpdir(), "yoke-story-"));
    const simulator = await startSimulator({
      dataDir: join(home, "github"),
      clock: options.clock ?? "real",
    });
    const { world } = simulator;
    await world.createUser("robin");
    const repository = await world.createRepository({
      owner: "acme",
      name: "shop",
      files: { "README.md": "hello\n" },
    });
    await world.setRuleset(repository, {
      name: "main",
      mergeQueue: options.queue ?? {},
      requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
    });
    await world.setWorkflows(repository, [
      {
        name: "CI",
        path: ".github/workflows/ci.yml",
        on: ["pull_request", "merge_group"],
        jobs: [...(options.jobs ?? [{ name: "ci", outcome: "hold" as const, duration: 0 }])],
      },
    ]);
    const tokenFile = join(home, "token");
    await writeFile(tokenFile, await world.createPersonalToken("robin"), { mode: 0o600 });

    const database = await freshDatabase(options.postgres);
    const pool = connect(database.url, { max: 8 });
    const target = {
      ...(options.temporal ?? (await testTemporal())),
      tls: null,
      apiKey: null,
    };
    const temporal = temporalClient(target);
    const taskQueue = `yoke-${randomBytes(6).toString("hex")}`;
    const clients = projectClients();
    const inThisProcess = async () =>
      startWorker({
        temporal: target,
        taskQueue,
        workflowBundle: await workflowBundle(),
        client: temporal.client,
        host,
        dependencies: {
          db: pool.executor,
          git: createGit(),
          github: clients.github,
          gitCredential: clients.gitCredential,
          now: () => new Date().toISOString(),
        },
      });
    const { worker: elsewhere } = options;
    const start = () =>
      elsewhere === undefined
        ? inThisProcess()
        : elsewhere({ temporal: target, taskQueue, databaseUrl: database.url, home });
    const worker = { current: await start(), restart: async () => undefined as void };
    worker.restart = async () => {
      worker.current.stop();
      await worker.current.done;
      worker.current = await start();
    };
    const context: FunctionContext = {
      db: pool.executor,
      landings: landingService(temporal.client, taskQueue),
      github: clients.github,
      now: () => new Date().toISOString(),
      newId: () => randomBytes(8).toString("hex"),
      session: null,
      taskQueue,
    };
    // Workflow ids are business keys and the Temporal server serves every test: each story has a project of its own.
    const project = `T${randomBytes(4).toString("hex").toUpperCase()}`;
    const close = async () => {
      await temporal.client.schedule
        .getHandle(`upkeep:${project}`)
        .delete()
        .catch(() => undefined);
      worker.current.stop();
      await worker.current.done;
      await temporal.close();
      await pool.close();
      await simulator.close();
      await rm(home, { recursive: true, force: true });
    };
    const story = new Story(
      simulator,
      repository,
      context,
      temporal.client,
      home,
      worker,
      project,
      host,
      database,
      close,
    );
    await story.ok("project.add", {
      key: project,
      repository: "acme/shop",
      apiUrl: simulator.apiUrl,
      gateBranch: "main",
      credential: { kind: "token", token: `file:${tokenFile}` },
      requirement: "npm test",
      upkeepSeconds: 3600,
      ...options.project,
    });
    await run("git", ["clone", "-q", `${simulator.url}/acme/shop.git`, join(home, "clone")]);
    return story;
  }

  /** Ends everything the story started, and leaves nothing. */
  async end(): Promise<void> {
    await this.close();
    await this.database.drop();
  }

  /** What the checkers look at, once GitHub is idle and a pass was made over what it says. */
  async settledWorld(): Promise<World> {
    await this.simulator.world.idle();
    await this.upkeep();
    const { context, temporal, project, simulator, repository, byPeople, keptLanes } = this;
    return {
      db: context.db,
      temporal,
      project,
      workflowBundle: await workflowBundle(),
      simulator: { services: simulator.services, repository },
      clone: join(this.home, "clone"),
      byPeople,
      keptLanes,
    };
  }

  async ask(name: string, input: unknown, session: string | null = null): Promise<Outcome> {
    return dispatch({ ...this.context, session }, name, input);
  }

  /** A function that must answer; its output, unchecked by types as a caller over HTTP sees it. */
  async ok<Output = Record<string, unknown>>(name: string, input: unknown): Promise<Output> {
    const outcome = await this.ask(name, input);
    if (!outcome.ok)
      throw new Error(outcome.refusals.map((one) => `${one.code}: ${one.message}`).join("\n"));
    return outcome.output as Output;
  }

  /** A lane with one commit, pushed, registered for a new item; it changes `file`, or one that is the item's own. */
  async lane(title: string, file?: string): Promise<{ item: string; lane: Lane }> {
    const added = await this.ok<{ item: { key: string } }>("items.add", {
      project: this.project,
      title,
    });
    const item = added.item.key;
    const lane = await this.laneOf(item, title, { file: file ?? `${item}.txt` });
    return { item, lane };
  }

  /** Another lane of an item, pushed and registered, with one commit; without `text` it adds nothing to the gate branch. */
  async laneOf(
    item: string,
    text: string | null,
    more: { readonly file?: string; readonly integration?: boolean } = {},
  ): Promise<Lane> {
    const { lanes } = await this.ok<{ lanes: unknown[] }>("lanes.list", { item, all: true });
    const number = lanes.length + 1;
    const name = number === 1 ? item : `${item}-again-${number}`;
    const branch = `lane/${name.toLowerCase()}`;
    const path = join(this.home, name);
    const clone = join(this.home, "clone");
    await Story.fetch(clone);
    await Story.git(clone, "worktree", "add", "-q", "-b", branch, path, "origin/main");
    if (text !== null) {
      await writeFile(join(path, more.file ?? `${name}.txt`), `${text}\n`);
      await Story.git(path, "add", "-A");
      await Story.git(path, "commit", "-qm", text);
    }
    await Story.git(path, "push", "-q", "origin", branch);
    await this.ok("lanes.register", {
      item,
      branch,
      path,
      commonDir: join(clone, ".git"),
      host: this.host,
      remote: "origin",
      integration: more.integration ?? false,
    });
    return this.read(path);
  }

  /** A session that holds the item, and the file that its notices go to. */
  async holder(item: string): Promise<{ readonly id: string; readonly mailbox: string }> {
    const id = `${item}-holder`;
    const mailbox = join(this.home, `${id}.jsonl`);
    await this.ok("sessions.register", {
      id,
      host: this.host,
      project: this.project,
      wakeRoute: { kind: "file", path: mailbox },
    });
    await this.ok("claim.take", { item, session: id });
    return { id, mailbox };
  }

  async read(path: string): Promise<Lane> {
    const reading = await createGit().readLane(path);
    return { path, branch: reading.branch ?? "", head: reading.head, tree: reading.tree };
  }

  async qualify(item: string, lane: Lane): Promise<void> {
    await this.ok("qualifications.record", {
      item,
      commit: lane.head,
      tree: lane.tree,
      verdict: "passed",
      evidence: "npm test passed",
    });
  }

  /** `yoke merge item`, as the command sends it. */
  async merge(
    item: string,
    path: string,
    more: Record<string, unknown> = {},
  ): Promise<Outcome<MergeOutput>> {
    const lane = await createGit()
      .readLane(path)
      .catch((error: unknown) => {
        if (error instanceof GitError) return null;
        throw error;
      });
    return (await this.ask("merge.item", {
      item,
      lane,
      host: this.host,
      remote: "origin",
      ...more,
    })) as Outcome<MergeOutput>;
  }

  /** One upkeep pass, as the schedule runs it. */
  async upkeep(): Promise<void> {
    await this.context.landings.refreshAll(this.project);
  }

  /** Ends every held job with `conclusion`, again and again until none is left. */
  async finishChecks(conclusion: "pass" | "fail" = "pass"): Promise<void> {
    const { world } = this.simulator;
    for (;;) {
      const [held] = world.heldJobs(this.repository);
      if (held === undefined) break;
      await world.releaseJob(held.job.id, conclusion);
    }
    await world.idle();
  }

  /**
   * Waits until the landing is in `phase`, and stored so: a pass over the project whenever GitHub is idle, until it is.
   * The only way to wait in a story; says what is busy when it gives up.
   */
  async settle(
    item: string,
    phase: string,
    { attempt = 0, patienceMs = settleMs }: { attempt?: number; patienceMs?: number } = {},
  ): Promise<void> {
    const late = AbortSignal.timeout(patienceMs);
    const gaveUp = new Promise<false>((resolve) => {
      late.addEventListener("abort", () => resolve(false), { once: true });
    });
    const settled = async (): Promise<boolean> => {
      while (!late.aborted) {
        await this.simulator.world.idle();
        await this.upkeep();
        const view = await this.context.landings.view(item, attempt);
        // The workflow decides before it stores; a person sees what is stored.
        const record = await findLanding(this.context.db, { item, attempt });
        if (view?.state.phase === phase && record?.version === view.version) return true;
      }
      return false;
    };
    if (await Promise.race([settled(), gaveUp])) return;
    const busy = await whatIsBusy(this, item);
    throw new Error([`${item} did not settle as ${phase}`, ...busy].join("\n  "));
  }

  async text(path: string): Promise<string> {
    return readFile(path, "utf8");
  }
}

export interface MergeOutput {
  readonly outcome: "landing_pending" | "landed" | "would_arm";
  readonly landing: { readonly phase: string; readonly episode: number };
  readonly receipt?: { readonly mergeCommit: string; readonly carriedBy: string };
  readonly lane?: { readonly removed: boolean; readonly why: string | null };
  readonly call?: string;
}
