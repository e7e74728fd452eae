import { describe, expect, it } from "vitest";
import { connect } from "../../db/client.js";
import { commitLanding } from "../../db/landing-commit.js";
import { setItemStatus } from "../../db/items.js";
import { saveLanding, storeObservations } from "../../db/landings.js";
import { clearRefreshError } from "../../db/projects.js";
import type { LandingState } from "../../src/core/landing/model.js";
import type { Item } from "../../src/core/records.js";
import { EXIT, refuse } from "../../src/core/refusals.js";
import { Refused } from "../../src/functions/context.js";
import {
  after,
  landedState,
  noon,
  observationOf,
  sampleItem,
  sampleProject,
  sampleSession,
  sha,
  stampOf,
  stateOf,
} from "../db/sample.js";
import { benchOfFile, benchOn, codes, type Bench } from "./bench.js";

const makeBench = benchOfFile();

const lane = {
  path: "/work/turn",
  commonDir: "/work/widgets/.git",
  branch: "turn",
  head: sha("a"),
  tree: sha("b"),
  dirty: [],
  linkedWorktree: true,
};
const request = (item: Item) => ({ item: item.key, lane, host: "bench", remote: "origin" });

async function armed(bench: Bench, given: Partial<LandingState> = {}): Promise<Item> {
  const item = await sampleItem(bench.context.db);
  const state = stateOf(item, { lastObservation: observationOf(), ...given });
  await saveLanding(bench.context.db, { state, version: 1, why: "GitHub waits", at: noon });
  return item;
}

async function heldByAnother(bench: Bench, item: Item) {
  const [holder, other] = [
    await sampleSession(bench.context.db),
    await sampleSession(bench.context.db),
  ];
  await bench.done("claim.take", { item: item.key }, holder.id);
  return { holder: holder.id, other: other.id };
}

describe("merge.preflight.dependency_gate", () => {
  it("A3.1 is clear when every declared predecessor has landed, and says which they are", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const [item, before] = [await sampleItem(db, project), await sampleItem(db, project)];
    await bench.done("items.depends", { item: item.key, on: before.key });
    await commitLanding(db, {
      state: landedState(before),
      version: 1,
      why: "",
      at: noon,
      stamp: stampOf(),
      notices: [],
    });
    const still = await bench.refusals("merge.preflight.dependency_gate", { item: item.key });
    expect(still).toMatchObject([
      { code: "integration_dependency_blocked", seen: { [before.key]: "landing" } },
    ]);
    await landed(bench, before);
    expect(await bench.done("merge.preflight.dependency_gate", { item: item.key })).toEqual({
      item: item.key,
      clear: true,
      predecessors: [{ item: before.key, title: before.title, status: "landed" }],
    });
  });

  it("A3.2 blocked: names each predecessor with its status", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const item = await sampleItem(db, project);
    const [one, two] = [await sampleItem(db, project), await sampleItem(db, project)];
    for (const { key: on } of [one, two]) await bench.done("items.depends", { item: item.key, on });
    const refusals = await bench.refusals("merge.preflight.dependency_gate", { item: item.key });
    expect(refusals).toMatchObject([
      {
        code: "integration_dependency_blocked",
        exit: EXIT.refused,
        seen: { [one.key]: "open", [two.key]: "open" },
      },
    ]);
    expect(bench.landings).toEqual([]);
  });

  it("A3.2 unreadable: never clear", async () => {
    const gone = connect("postgres://yoke@127.0.0.1:1/yoke");
    try {
      const refusals = await benchOn(gone).refusals("merge.preflight.dependency_gate", {
        item: "YOK-1",
      });
      expect(codes(refusals)).toEqual(["integration_dependency_gate_unavailable"]);
    } finally {
      await gone.close();
    }
  });
});

/** The item's status as close-out leaves it. */
async function landed({ context }: Bench, item: Item): Promise<void> {
  await setItemStatus(context.db, { item: item.key, status: "landed", at: noon });
}

describe("merge.item", () => {
  it("A1.4 asks the landing's workflow, and exits 9 while the landing is pending", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    bench.answers.merge = { outcome: "landing_pending", state: stateOf(item), why: "GitHub waits" };
    const outcome = await bench.ask("merge.item", { ...request(item), requestId: "r-1" });
    expect(outcome).toMatchObject({
      ok: true,
      exit: EXIT.pending,
      output: {
        outcome: "landing_pending",
        landing_pending: true,
        landing: { item: item.key, pullRequest: 12, candidate: sha("a"), why: "GitHub waits" },
      },
    });
    expect(bench.landings).toMatchObject([
      {
        method: "merge",
        args: [
          { project: item.project, item: item.key, lane, session: null },
          { project: item.project, item: item.key, gateBranch: "main" },
          "r-1",
        ],
      },
    ]);
    expect(bench.github).toEqual([]);
  });

  it("exits 0 with the receipt when it landed, and says why a lane stayed", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    bench.answers.merge = {
      outcome: "landed",
      state: landedState(item, { phase: "closed_out" }),
      receipt: { ...stampOf(), item: item.key, recordedAt: noon, closeOut: null },
      lane: { removed: false, why: "it is not clean", next: "Clean it." },
    };
    expect(await bench.ask("merge.item", request(item))).toMatchObject({
      ok: true,
      exit: EXIT.ok,
      output: {
        outcome: "landed",
        receipt: { mergeCommit: sha("c"), carriedBy: null },
        lane: { removed: false, why: "it is not clean", next: "Clean it." },
      },
    });
  });

  it("refuses another session than the holder before anything is asked; the holder gets through", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    const { holder, other } = await heldByAnother(bench, item);
    expect(await bench.refusals("merge.item", request(item), other)).toMatchObject([
      { code: "claim_held", seen: { holder } },
    ]);
    expect(bench.landings).toEqual([]);
    bench.answers.merge = {
      outcome: "would_arm",
      call: "enqueue",
      candidate: { commit: sha("a"), tree: sha("b"), branch: "turn", qualification: "q" },
    };
    const dry = await bench.done("merge.item", { ...request(item), dryRun: true }, holder);
    expect(dry).toEqual({ outcome: "would_arm", call: "enqueue", candidate: sha("a") });
  });
});

describe("merge_queue.landing.observe", () => {
  it("A4.2 answers from the stored record while it is younger than two refresh intervals", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    bench.now = after(119);
    expect(await bench.done("merge_queue.landing.observe", { item: item.key })).toMatchObject({
      landing: { phase: "pending", why: "GitHub waits" },
      observed: { state: "OPEN", readAt: noon },
      refreshed: false,
    });
    expect([bench.landings, bench.github]).toEqual([[], []]);
  });

  it("A4.2 a project that was read in full lately keeps all of its records fresh", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    await clearRefreshError(bench.context.db, { project: item.project, at: after(500) });
    bench.now = after(600);
    const answer = await bench.done("merge_queue.landing.observe", { item: item.key });
    expect(answer).toMatchObject({ refreshed: false, refreshedAt: after(500) });
    expect(bench.landings).toEqual([]);
  });

  it("A4.3 an older record has the project refreshed once, and the answer is the newer one", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const item = await armed(bench);
    bench.now = after(120);
    bench.answers.refresh = async () => {
      const observation = observationOf({
        state: "MERGED",
        readAt: after(119),
        updatedAt: after(119),
        merge: { commit: sha("c"), mergedAt: after(118) },
      });
      await storeObservations(db, {
        observations: [{ item: item.key, observation }],
        at: after(119),
      });
      await clearRefreshError(db, { project: item.project, at: after(119) });
      return { observed: 1, changed: 1, refreshError: null };
    };
    expect(await bench.done("merge_queue.landing.observe", { item: item.key })).toMatchObject({
      observed: { state: "MERGED", mergeCommit: sha("c"), readAt: after(119) },
      refreshed: true,
      refreshedAt: after(119),
      refreshError: null,
    });
    await bench.done("merge_queue.landing.observe", { item: item.key });
    expect(bench.landings).toEqual([{ method: "refreshAll", args: [item.project] }]);
    expect(bench.github).toEqual([]);
  });

  it("A4.3 says why the project could not be read, beside what is stored", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    bench.now = after(3600);
    const refreshError = { code: "github_unavailable", message: "502" };
    bench.answers.refresh = () => Promise.resolve({ observed: 0, changed: 0, refreshError });
    expect(await bench.done("merge_queue.landing.observe", { item: item.key })).toMatchObject({
      landing: { phase: "pending" },
      refreshed: true,
      refreshError,
    });
  });

  it("A4.3 an old record and no worker is a refusal, never an old answer passed off as a new one", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    bench.now = after(3600);
    bench.answers.refresh = () => Promise.reject(new Refused([refuse("no_worker", "No worker.")]));
    const refusals = await bench.refusals("merge_queue.landing.observe", { item: item.key });
    expect(codes(refusals)).toEqual(["no_worker"]);
  });

  it("reads nothing for an item without a landing, and nothing again for one that was merged", async () => {
    const bench = makeBench();
    const fresh = await sampleItem(bench.context.db);
    const merged = await armed(bench, {
      phase: "landed",
      landed: { mergeCommit: sha("c"), mergedAt: noon },
    });
    bench.now = after(86_400);
    expect(await bench.done("merge_queue.landing.observe", { item: fresh.key })).toMatchObject({
      landing: null,
      observed: null,
    });
    expect(await bench.done("merge_queue.landing.observe", { item: merged.key })).toMatchObject({
      landing: { phase: "landed", mergeCommit: sha("c") },
    });
    expect(bench.landings).toEqual([]);
    expect(codes(await bench.refusals("merge_queue.landing.observe", { item: "NONE-1" }))).toEqual([
      "item_unknown",
    ]);
  });
});

describe("github.merge_queue.hold", () => {
  it("A6.2 holds through the landing's workflow and says how it is armed again", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    bench.answers.hold = {
      outcome: "held",
      state: stateOf(item, { phase: "held" }),
      confirmed: true,
    };
    expect(await bench.ask("github.merge_queue.hold", { item: item.key })).toMatchObject({
      ok: true,
      exit: EXIT.ok,
      output: {
        landing: { phase: "held" },
        confirmed: true,
        next: `Arm it again with \`yoke merge item ${item.key}\`.`,
      },
    });
    expect(bench.landings).toEqual([
      {
        method: "hold",
        args: [
          { item: item.key, session: null },
          { project: item.project, item: item.key, gateBranch: "main" },
        ],
      },
    ]);
  });

  it("A6.2 passes on what the workflow refused, and exits 3 when nothing confirms the hold", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    bench.answers.hold = { outcome: "refused", refusals: [refuse("hold_unconfirmed", "Still.")] };
    expect(codes(await bench.refusals("github.merge_queue.hold", { item: item.key }))).toEqual([
      "hold_unconfirmed",
    ]);
    bench.answers.hold = {
      outcome: "held",
      state: stateOf(item, { phase: "held" }),
      confirmed: false,
    };
    const outcome = await bench.ask("github.merge_queue.hold", { item: item.key });
    expect(outcome).toMatchObject({ ok: true, exit: EXIT.uncertain });
  });

  it("lets only the holder hold", async () => {
    const bench = makeBench();
    const item = await armed(bench);
    const { other } = await heldByAnother(bench, item);
    const refusals = await bench.refusals("github.merge_queue.hold", { item: item.key }, other);
    expect(codes(refusals)).toEqual(["claim_held"]);
    expect(bench.landings).toEqual([]);
  });
});

describe("explain.item", () => {
  it("A16.4 says what is missing from stored records alone, and reads first only when asked to", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    const answer = await bench.done("explain.item", { item: item.key });
    expect(answer["reasons"]).not.toEqual([]);
    expect(bench.landings).toEqual([]);
    await bench.done("explain.item", { item: item.key, refresh: true });
    expect(bench.landings).toEqual([{ method: "refreshAll", args: [item.project] }]);
    expect(bench.github).toEqual([]);
  });

  it("refuses an item that is not there", async () => {
    expect(codes(await makeBench().refusals("explain.item", { item: "NONE-1" }))).toEqual([
      "item_unknown",
    ]);
  });
});
