/** What a server is made on: a database of the test file, and doubles of Temporal and GitHub. */
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "../../db/client.js";
import type { Project } from "../../src/core/records.js";
import type { FunctionContext, LandingService } from "../../src/functions/context.js";
import type { GitHub } from "../../src/github/port.js";
import { noon } from "../db/sample.js";
import { freshDatabase, type TestDatabase } from "../setup/database.js";

/** Records what is asked of Temporal; `touching` and `refreshing` say what comes of it. */
export class RecordedLandings implements LandingService {
  readonly touched: { readonly project: string; readonly pullRequests: readonly number[] }[] = [];
  readonly scheduled: string[] = [];
  touching: () => Promise<void> = () => Promise.resolve();
  refreshing: () => Promise<void> = () => unexpected("refreshAll");
  scheduling: (project: string) => Promise<void> = () => Promise.resolve();

  merge = () => unexpected("merge");
  hold = () => unexpected("hold");
  view = () => unexpected("view");
  pollers = () => unexpected("pollers");

  async touch(project: string, pullRequests: readonly number[]): Promise<void> {
    this.touched.push({ project, pullRequests });
    await this.touching();
  }

  async refreshAll() {
    await this.refreshing();
    return { observed: 0, changed: 0, refreshError: null };
  }

  async ensureUpkeep({ key }: Project): Promise<void> {
    await this.scheduling(key);
    this.scheduled.push(key);
  }
}

function unexpected(what: string): Promise<never> {
  return Promise.reject(new Error(`Temporal was not expected to be asked: ${what}`));
}

const noGitHub = new Proxy({} as GitHub, {
  get: (_target, member) => {
    throw new Error(`GitHub was not expected to be asked: ${String(member)}`);
  },
});

export class World {
  readonly landings = new RecordedLandings();
  /** What `context.now()` says. */
  time = noon;
  #ids = 0;

  constructor(
    readonly database: Database,
    readonly url: string,
  ) {}

  get db() {
    return this.database.executor;
  }

  context(session: string | null = null): FunctionContext {
    return {
      db: this.db,
      landings: this.landings,
      github: () => noGitHub,
      now: () => this.time,
      newId: () => {
        this.#ids += 1;
        return `id-${String(this.#ids)}`;
      },
      session,
      taskQueue: "yoke",
    };
  }
}

/** A world for the tests of the file; read it inside tests only. */
export function withWorld(): { readonly world: World } {
  let database: TestDatabase | undefined;
  let world: World | undefined;
  beforeAll(async () => {
    database = await freshDatabase();
    world = new World(connect(database.url), database.url);
  });
  afterAll(async () => {
    await world?.database.close();
    await database?.drop();
  });
  return {
    get world() {
      if (world === undefined) throw new Error("the world is not there yet");
      return world;
    },
  };
}
