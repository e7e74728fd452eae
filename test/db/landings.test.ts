import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { violated } from "../../db/client.js";
import {
  findLanding,
  listOpenLandings,
  saveLanding,
  storeObservations,
} from "../../db/landings.js";
import { clearRefreshError, findProject, setRefreshError } from "../../db/projects.js";
import type { LandingPhase, LandingState, Observation } from "../../src/core/landing/model.js";
import type { Item } from "../../src/core/records.js";
import { query, withDatabase } from "./cluster.js";
import { after, noon, observationOf, sampleItem, sampleProject, sha, stateOf } from "./sample.js";

const on = withDatabase();

const save = (item: Item, version: number, given: Partial<LandingState> = {}) =>
  saveLanding(on.db, {
    state: stateOf(item, given),
    version,
    why: `version ${String(version)}`,
    at: after(version),
  });

const observe = (item: Item, given: Partial<Observation> = {}) =>
  storeObservations(on.db, {
    observations: [{ item: item.key, observation: observationOf(given) }],
    at: after(500),
  });

const queuedAt = (seconds: number, position: number): Partial<Observation> => ({
  readAt: after(seconds),
  queue: {
    read: "entry",
    entry: {
      state: "QUEUED",
      position,
      enqueuedAt: noon,
      estimatedTimeToMerge: 90,
      groupCommit: null,
    },
  },
});

describe("saveLanding", () => {
  it("A4.8 the version of a landing never goes back, and the same one changes nothing", async () => {
    const item = await sampleItem(on.db);
    expect(await save(item, 2)).toEqual({ saved: true });
    const stored = await findLanding(on.db, { item: item.key });
    expect(stored).toMatchObject({ version: 2, why: "version 2", stateAt: after(2) });
    expect(await save(item, 1, { phase: "unarmed" })).toEqual({ saved: false });
    expect(await save(item, 2, { phase: "stopped" })).toEqual({ saved: false });
    expect(await findLanding(on.db, { item: item.key })).toEqual(stored);
    expect(await save(item, 3, { phase: "stopped" })).toEqual({ saved: true });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      version: 3,
      state: { phase: "stopped" },
    });
  });

  it("A4.8 of many writers at once the newest version stays", async () => {
    const item = await sampleItem(on.db);
    const versions = Array.from({ length: 20 }, (_, index) => index + 1).sort(
      (a, b) => (a % 7) - (b % 7),
    );
    await Promise.all(versions.map((version) => save(item, version)));
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({ version: 20 });
  });

  it("A4.8 landings_version_forward: other writers cannot go back either", async () => {
    const item = await sampleItem(on.db);
    await save(item, 2);
    const set = (version: number) =>
      query(on.url, "update landings set version = $1 where item = $2", [version, item.key]).then(
        () => "nothing was refused",
        violated,
      );
    expect(await set(1)).toBe("landings_version_forward");
    expect(await set(3)).toBe("nothing was refused");
  });

  it("A1.6 result and verification are kept until others are given", async () => {
    const item = await sampleItem(on.db);
    const state = stateOf(item);
    const common = { state, why: "", at: noon };
    await saveLanding(on.db, { ...common, version: 1, result: "done", verification: "42 tests" });
    await saveLanding(on.db, { ...common, version: 2, result: null });
    await saveLanding(on.db, { ...common, version: 3, verification: "43 tests" });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      result: "done",
      verification: "43 tests",
    });
  });

  it("stores text that Postgres cannot hold as it can", async () => {
    const item = await sampleItem(on.db);
    const state = stateOf(item, {
      stop: {
        reason: "checks_failed",
        message: "cut \uD83D",
        next: "see \0 the log",
        failedChecks: [],
        at: noon,
      },
    });
    await saveLanding(on.db, { state, version: 1, why: "nul \0", at: noon });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      why: "nul \uFFFD",
      state: { stop: { message: "cut \uFFFD", next: "see \uFFFD the log" } },
    });
  });
});

describe("listOpenLandings", () => {
  it("A4.1 lists landings with a pull request that GitHub was not seen to have merged", async () => {
    const project = await sampleProject(on.db);
    const phases: LandingPhase[] = [
      "unarmed",
      "pending",
      "waiting_reentry",
      "held",
      "stopped",
      "landed",
      "closed_out",
    ];
    const byPhase = new Map<LandingPhase, string>();
    for (const phase of phases) {
      const item = await sampleItem(on.db, project);
      byPhase.set(phase, item.key);
      await save(item, 1, { phase });
    }
    await save(await sampleItem(on.db, project), 1, { pullRequest: null });
    const open = await listOpenLandings(on.db, { project: project.key });
    expect(open.map(({ item }) => item)).toEqual(
      phases.slice(0, 5).map((phase) => byPhase.get(phase)),
    );
    expect(open[0]).toMatchObject({ pullRequest: 12, nodeId: "PR_12", observation: null });
  });
});

describe("storeObservations", () => {
  it("A4.8 an observation that arrives late never replaces a newer one", async () => {
    const item = await sampleItem(on.db);
    await save(item, 1);
    expect(await observe(item, queuedAt(20, 1))).toEqual({ stored: [item.key] });
    expect(await observe(item, queuedAt(10, 2))).toEqual({ stored: [] });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      observedAt: after(20),
      observation: queuedAt(20, 1),
    });
    expect(await observe(item, queuedAt(30, 3))).toEqual({ stored: [item.key] });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      observedAt: after(30),
      observation: queuedAt(30, 3),
    });
  });

  it("A4.8 of two readings of one second the later one counts, unless the pull request's own time says otherwise", async () => {
    const item = await sampleItem(on.db);
    await save(item, 1);
    await observe(item, { ...queuedAt(20, 1), updatedAt: after(19) });
    expect(await observe(item, { ...queuedAt(20, 2), updatedAt: after(18) })).toEqual({
      stored: [],
    });
    expect(await observe(item, { ...queuedAt(20, 3), updatedAt: after(19) })).toEqual({
      stored: [item.key],
    });
  });

  it("A4.8 observing the same state again writes nothing to landings; the project says how fresh it is (A4.2)", async () => {
    const item = await sampleItem(on.db);
    await save(item, 1);
    await observe(item, queuedAt(20, 1));
    const row = () => query(on.url, "select xmin, ctid from landings where item = $1", [item.key]);
    const before = await row();
    expect(await observe(item, queuedAt(80, 1))).toEqual({ stored: [] });
    await clearRefreshError(on.db, { project: item.project, at: after(81) });
    expect(await row()).toEqual(before);
    expect(await findProject(on.db, { key: item.project })).toMatchObject({
      refreshedAt: after(81),
    });
  });

  it("A4.8 a reading of another pull request than the landing's is not stored", async () => {
    const item = await sampleItem(on.db);
    await save(item, 1);
    await observe(item, queuedAt(20, 1));
    const next = { number: 13, nodeId: "PR_13", url: "https://github.com/acme/widgets/pull/13" };
    await save(item, 2, { pullRequest: next });
    expect(await observe(item, queuedAt(30, 2))).toEqual({ stored: [] });
    expect(await observe(item, { readAt: after(10), pullRequest: 13, nodeId: "PR_13" })).toEqual({
      stored: [item.key],
    });
  });

  it("A15.1 stores a thousand readings in one statement", async () => {
    const project = await sampleProject(on.db);
    const made: Item[] = [];
    for (let index = 0; index < 1000; index += 1) made.push(await sampleItem(on.db, project));
    for (const item of made) await save(item, 1);
    const pool = new Pool({ connectionString: on.url });
    const statements: string[] = [];
    const logger = { logQuery: (statement: string) => statements.push(statement) };
    const { stored } = await storeObservations(drizzle(pool, { logger }), {
      observations: made.map((item, index) => ({
        item: item.key,
        observation: observationOf(queuedAt(20, index)),
      })),
      at: after(21),
    });
    await pool.end();
    expect(statements).toHaveLength(1);
    expect(stored).toHaveLength(1000);
  });

  it("A5.10 a refresh error is kept until the project was read again", async () => {
    const { key } = await sampleProject(on.db);
    const error = { code: "github_unavailable", message: "502", at: after(5) };
    await clearRefreshError(on.db, { project: key, at: after(1) });
    await setRefreshError(on.db, { project: key, ...error });
    expect(await findProject(on.db, { key })).toMatchObject({
      refreshError: error,
      refreshedAt: after(1),
    });
    await clearRefreshError(on.db, { project: key, at: after(9) });
    expect(await findProject(on.db, { key })).toMatchObject({
      refreshError: null,
      refreshedAt: after(9),
    });
  });
});

describe("the reading of a decision", () => {
  it("A4.1 the reading a workflow decided from is stored with its state, and an older one never replaces a newer", async () => {
    const item = await sampleItem(on.db);
    await save(item, 1, { lastObservation: observationOf(queuedAt(20, 1)) });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      observation: queuedAt(20, 1),
      observedAt: after(20),
    });
    await observe(item, { readAt: after(30), head: sha("e") });
    await save(item, 2, { lastObservation: observationOf(queuedAt(20, 1)) });
    expect(await findLanding(on.db, { item: item.key })).toMatchObject({
      observation: { head: sha("e") },
    });
  });
});
