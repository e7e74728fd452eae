import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../db/client.js";
import { saveLanding, storeObservations } from "../../db/landings.js";
import { addProject, clearRefreshError, setRefreshError } from "../../db/projects.js";
import type { Item, Project } from "../../src/core/records.js";
import { refuse } from "../../src/core/refusals.js";
import { Refused } from "../../src/functions/context.js";
import { GitHubError } from "../../src/github/port.js";
import {
  after,
  noon,
  observationOf,
  sampleItem,
  sampleProject,
  sampleSession,
  sha,
  stateOf,
} from "../db/sample.js";
import { benchOfFile, benchOn, codes, goodFacts, type Bench } from "./bench.js";

const makeBench = benchOfFile();

async function queued(bench: Bench, project: Project): Promise<Item> {
  const item = await sampleItem(bench.context.db, project);
  const entry = {
    state: "QUEUED" as const,
    position: 3,
    enqueuedAt: noon,
    estimatedTimeToMerge: 240,
    groupCommit: null,
  };
  const state = stateOf(item, {
    lastObservation: observationOf({ queue: { read: "entry", entry } }),
  });
  await saveLanding(bench.context.db, { state, version: 1, why: "In the queue", at: noon });
  const observation = observationOf({
    readAt: after(1),
    queue: { read: "entry", entry: { ...entry, position: 2, groupCommit: sha("d") } },
    checks: {
      head: { passed: 1, failed: 0, running: 0 },
      group: { passed: 3, failed: 0, running: 1 },
    },
  });
  await storeObservations(bench.context.db, {
    observations: [{ item: item.key, observation }],
    at: after(1),
  });
  return item;
}

describe("status.board", () => {
  it("A1.5 shows each item where it stands, and that a project was not read for two intervals", async () => {
    const bench = makeBench();
    const project = await sampleProject(bench.context.db);
    const item = await queued(bench, project);
    const idle = await sampleItem(bench.context.db, project);
    const { id } = await sampleSession(bench.context.db);
    await bench.done("claim.take", { item: item.key }, id);
    bench.now = after(120);
    const board = async () =>
      (await bench.done("status.board", { project: project.key }))["projects"];
    expect(await board()).toMatchObject([
      {
        project: project.key,
        stale: false,
        items: [
          {
            item: item.key,
            phase: "pending",
            where: "in the queue, position 2",
            position: 2,
            etaSeconds: 240,
            checks: "checks of the group: 3 passed, 1 running",
            holder: id,
            ageSeconds: 120,
          },
          { item: idle.key, phase: null, where: "not started" },
        ],
      },
    ]);
    bench.now = after(121);
    expect(await board()).toMatchObject([{ stale: true }]);
    await clearRefreshError(bench.context.db, { project: project.key, at: after(121) });
    expect(await board()).toMatchObject([{ stale: false, refreshedAt: after(121) }]);
  });

  it("refuses a project that is not there", async () => {
    expect(codes(await makeBench().refusals("status.board", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});

describe("who reads GitHub", () => {
  it("A4.1 claims, lists, details, the roster and the board ask neither GitHub nor a workflow, however old the record", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const { key: item } = await queued(bench, project);
    const { id } = await sampleSession(db, { project: project.key });
    bench.now = after(86_400);
    const of = { project: project.key };
    const asked: readonly [string, object][] = [
      ["claim.take", { item }],
      ["claim.get", { item }],
      ["items.list", of],
      ["items.get", { item }],
      ["items.detail.get", { item }],
      ["items.section.get", { item, section: "Merge Receipts" }],
      ["lanes.list", { item }],
      ["merge.preflight.dependency_gate", { item }],
      ["explain.item", { item }],
      ["status.board", of],
      ["status.board", {}],
      ["notices.list", of],
      ["sessions.list", of],
      ["sessions.stop_check", {}],
      ["steering.say", { text: "Hello", item }],
      ["steering.list", of],
      ["fleet.idle", of],
      ["project.list", {}],
      ["project.get", of],
      ["claim.release", { item }],
    ];
    for (const [name, input] of asked) await bench.done(name, input, id);
    expect([bench.github, bench.landings]).toEqual([[], []]);
    // The same record makes the one function that may ask do so.
    await bench.done("merge_queue.landing.observe", { item }, id);
    expect(bench.landings).toMatchObject([{ method: "refreshAll" }]);
  });
});

interface Line {
  readonly name: string;
  readonly state: string;
  readonly text: string;
  readonly next: string | null;
}

async function doctor(bench: Bench, project?: string) {
  const answer = await bench.done("doctor.run", project === undefined ? {} : { project });
  const lines = answer["checks"] as readonly Line[];
  const line = (name: string) => lines.find((one) => one.name === name);
  return { healthy: answer["healthy"], lines, line };
}

let made = 0;
async function doctored(bench: Bench): Promise<Project> {
  made += 1;
  return addProject(bench.context.db, {
    key: `D${String(made)}`,
    owner: "acme",
    name: "widgets",
    repositoryId: 5000 + made,
    apiUrl: "https://api.github.com",
    gateBranch: "main",
    credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" },
    connection: `doctored-${String(made)}`,
    webhookSecret: null,
    requirement: "npm test",
    requirementDigest: "digest-1",
    upkeepSeconds: 60,
    at: noon,
  });
}

describe("doctor.run", () => {
  beforeEach(() => {
    vi.stubEnv("YOKE_TEST_TOKEN", "a token");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("finds all well, and says so line by line", async () => {
    const bench = makeBench();
    const project = await doctored(bench);
    bench.answers.facts = { ...goodFacts, id: project.repositoryId };
    const { healthy, line } = await doctor(bench, project.key);
    expect(healthy).toBe(true);
    const { key } = project;
    const names = ["database", "migrations", "temporal", "worker yoke"];
    const own = ["credential", "repository", "gate branch", "queue", "refresh"];
    for (const name of [...names, ...own.map((part) => `${key} ${part}`)]) {
      expect(line(name)).toMatchObject({ name, state: "ok", next: null });
    }
    expect(line(`${key} gate branch`)?.text).toContain(sha("d"));
    expect(line(`${key} webhook`)?.state).toBe("warn");
  });

  it("case E17 names each queue without a poller, those of hosts with active lanes too", async () => {
    const bench = makeBench();
    const { key: item } = await sampleItem(bench.context.db);
    await bench.done("lanes.register", {
      item,
      branch: "turn",
      path: `/work/${item}`,
      commonDir: "/work/.git",
      host: "far",
    });
    bench.answers.pollers = 0;
    const { healthy, line } = await doctor(bench);
    expect(healthy).toBe(false);
    for (const queue of ["yoke", "yoke-host-far"]) {
      expect(line(`worker ${queue}`)).toMatchObject({
        state: "fail",
        text: expect.stringContaining("no_worker"),
        next: expect.stringContaining("yoke worker"),
      });
    }
  });

  it("says what is wrong with a project: credential, repository, branch, queue, refresh", async () => {
    const bench = makeBench();
    const project = await doctored(bench);
    const { key } = project;
    bench.answers.facts = { ...goodFacts, id: 1, gateBranchHead: null, queue: null };
    const renamed = await doctor(bench, key);
    expect(renamed.line(`${key} repository`)).toMatchObject({ state: "fail" });
    bench.answers.facts = { ...bench.answers.facts, id: project.repositoryId };
    const error = { project: key, code: "github_access_refused", message: "Gone", at: noon };
    await setRefreshError(bench.context.db, error);
    const bare = await doctor(bench, key);
    for (const part of ["gate branch", "queue"]) {
      expect(bare.line(`${key} ${part}`)).toMatchObject({ state: "fail" });
    }
    expect(bare.line(`${key} refresh`)).toMatchObject({
      state: "fail",
      text: `github_access_refused at ${noon}: Gone`,
    });
    bench.answers.facts = new GitHubError({ kind: "no_access", status: 401, message: "Bad" });
    expect((await doctor(bench, key)).line(`${key} repository`)).toMatchObject({
      state: "fail",
      text: "github_access_refused: Bad",
    });
    vi.stubEnv("YOKE_TEST_TOKEN", "");
    bench.github.length = 0;
    expect((await doctor(bench, key)).line(`${key} credential`)).toMatchObject({
      state: "fail",
      text: expect.stringContaining("credential_missing"),
    });
    expect(bench.github).toEqual([]);
  });

  it("A5.10 warns of a project that was not read for two intervals", async () => {
    const bench = makeBench();
    const project = await doctored(bench);
    bench.answers.facts = { ...goodFacts, id: project.repositoryId };
    bench.now = after(121);
    const { healthy, line } = await doctor(bench, project.key);
    expect([healthy, line(`${project.key} refresh`)?.state]).toEqual([true, "warn"]);
  });

  it("goes on without the database and without Temporal, and says that they are gone", async () => {
    const gone = connect("postgres://yoke@127.0.0.1:1/yoke");
    try {
      const bench = benchOn(gone);
      const lost = new Refused([refuse("temporal_unavailable", "Temporal is gone.")]);
      bench.context.landings.pollers = () => Promise.reject(lost);
      const { healthy, lines } = await doctor(bench);
      expect(healthy).toBe(false);
      expect(lines).toMatchObject([
        { name: "database", state: "fail", text: expect.stringContaining("database_unavailable") },
        { name: "temporal", state: "fail", text: "temporal_unavailable: Temporal is gone." },
      ]);
    } finally {
      await gone.close();
    }
  });

  it("refuses a project that is not there", async () => {
    expect(codes(await makeBench().refusals("doctor.run", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});
