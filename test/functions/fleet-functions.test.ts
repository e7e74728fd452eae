import { describe, expect, it } from "vitest";
import { setItemStatus } from "../../db/items.js";
import { saveLanding } from "../../db/landings.js";
import { markFailed, recordNotice, setRecipient } from "../../db/notices.js";
import type { LandingPhase } from "../../src/core/landing/model.js";
import type { Item } from "../../src/core/records.js";
import {
  noon,
  noticeOf,
  sampleItem,
  sampleProject,
  sampleSession,
  sha,
  stateOf,
} from "../db/sample.js";
import { benchOfFile, codes, type Bench } from "./bench.js";

const makeBench = benchOfFile();

describe("claim.take, claim.get and claim.release", () => {
  it("give an item to one session until that session gives it back", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item } = await sampleItem(db);
    const [one, two] = [await sampleSession(db), await sampleSession(db)];
    expect(await bench.done("claim.take", { item }, one.id)).toEqual({
      claim: { item, session: one.id, claimedAt: noon },
      takenFrom: null,
    });
    expect(await bench.refusals("claim.take", { item }, two.id)).toMatchObject([
      { code: "claim_held", seen: { item, holder: one.id } },
    ]);
    expect(codes(await bench.refusals("claim.release", { item }, two.id))).toEqual([
      "claim_missing",
    ]);
    expect(await bench.done("claim.get", { item })).toMatchObject({ holder: { id: one.id } });
    await bench.done("claim.release", { item }, one.id);
    expect(await bench.done("claim.get", { item })).toEqual({ item, claim: null, holder: null });
    expect(await bench.done("claim.take", { item }, two.id)).toMatchObject({ takenFrom: null });
  });

  it("A6.3 restaff an item whose holder is gone, or by the steering seat; nobody else takes it over", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item, project } = await sampleItem(db);
    const [one, two] = [await sampleSession(db), await sampleSession(db)];
    const seat = await sampleSession(db, { project, steering: true });
    await bench.done("claim.take", { item }, one.id);
    const over = { item, takeOver: true };
    expect(codes(await bench.refusals("claim.take", over, two.id))).toEqual(["claim_held"]);
    expect(await bench.done("claim.take", { ...over, session: two.id }, seat.id)).toMatchObject({
      claim: { session: two.id },
      takenFrom: one.id,
    });
    await bench.done("sessions.end", {}, two.id);
    expect(await bench.done("claim.take", over, one.id)).toMatchObject({ takenFrom: two.id });
  });

  it("refuse a request without a session, and a session nobody registered", async () => {
    const bench = makeBench();
    const { key: item } = await sampleItem(bench.context.db);
    expect(codes(await bench.refusals("claim.take", { item }))).toEqual(["session_missing"]);
    expect(codes(await bench.refusals("claim.release", { item }))).toEqual(["session_missing"]);
    expect(codes(await bench.refusals("claim.take", { item }, "ghost"))).toEqual([
      "session_unknown",
    ]);
    expect(codes(await bench.refusals("claim.get", { item: "NONE-1" }))).toEqual(["item_unknown"]);
  });
});

describe("sessions.register, sessions.list and sessions.end", () => {
  it("A6.3 A6.4 say in the roster which route cannot resume by itself", async () => {
    const bench = makeBench();
    const { key: project } = await sampleProject(bench.context.db);
    const on = { project, host: "bench" };
    const resumes = async (wakeRoute: object) =>
      (await bench.done("sessions.register", { ...on, wakeRoute }))["resumes"];
    expect(await resumes({ kind: "exec", argv: ["resume", "{session}"] })).toBe(true);
    expect(await resumes({ kind: "http", url: "https://wake.test/", secret: null })).toBe(true);
    expect(await resumes({ kind: "file", path: "/var/mail/box" })).toBe(false);
    expect(await resumes({ kind: "operator" })).toBe(false);
    const { sessions } = (await bench.done("sessions.list", { project })) as {
      sessions: { project: string | null; resumes: boolean; doing: string; route: string }[];
    };
    const own = sessions.filter((session) => session.project === project);
    expect(own.filter(({ resumes }) => resumes)).toHaveLength(2);
    expect(own).toHaveLength(4);
    expect(own.every(({ doing }) => doing === "idle")).toBe(true);
    expect(own.map(({ route }) => route).join()).toContain("a person must re-enter");
  });

  it("let one session have the steering seat of a project", async () => {
    const bench = makeBench();
    const { key: project } = await sampleProject(bench.context.db);
    const seat = { project, host: "bench", steering: true };
    const { session } = (await bench.done("sessions.register", seat)) as {
      session: { id: string };
    };
    expect(await bench.refusals("sessions.register", seat)).toMatchObject([
      { code: "steering_seat_taken", seen: { holder: session.id } },
    ]);
    const without = { host: "bench", steering: true };
    expect(codes(await bench.refusals("sessions.register", without))).toEqual(["project_missing"]);
    await bench.done("sessions.end", { id: session.id });
    await bench.done("sessions.register", seat);
  });

  it("end a session, and name what it still holds", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item } = await sampleItem(db);
    const { id } = await sampleSession(db);
    await bench.done("claim.take", { item }, id);
    expect(await bench.done("sessions.end", {}, id)).toMatchObject({
      session: { id, state: "ended", endedAt: noon },
      stillHolds: [item],
    });
    expect(codes(await bench.refusals("sessions.end", { id: "ghost" }))).toEqual([
      "session_unknown",
    ]);
    expect(codes(await bench.refusals("sessions.list", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});

async function holding(bench: Bench, phase: LandingPhase | null): Promise<[Item, string]> {
  const { db } = bench.context;
  const item = await sampleItem(db);
  const { id } = await sampleSession(db);
  await bench.done("claim.take", { item: item.key }, id);
  if (phase !== null) {
    const landed = phase === "landed" ? { mergeCommit: sha("c"), mergedAt: noon } : null;
    const state = stateOf(item, { phase, landed });
    await saveLanding(db, { state, version: 1, why: "GitHub waits", at: noon });
  }
  return [item, id];
}

describe("sessions.stop_check", () => {
  const may: readonly [LandingPhase | null, string, boolean][] = [
    ["pending", "awaiting_landing", true],
    ["waiting_reentry", "awaiting_landing", true],
    ["stopped", "must_act", false],
    ["held", "must_act", false],
    ["landed", "owes_close_out", false],
    [null, "must_act", false],
  ];
  it.each(may)("A6.4 with a landing that is %s: %s, may stop: %s", async (phase, duty, mayStop) => {
    const bench = makeBench();
    const [item, session] = await holding(bench, phase);
    expect(await bench.done("sessions.stop_check", {}, session)).toMatchObject({
      session,
      mayStop,
      duties: [{ item: item.key, duty }],
      resumes: false,
    });
  });

  it("A6.4 lets a session stop that holds nothing, and refuses one that is not there", async () => {
    const bench = makeBench();
    const { id } = await sampleSession(bench.context.db);
    expect(await bench.done("sessions.stop_check", { id })).toMatchObject({
      mayStop: true,
      duties: [],
    });
    expect(codes(await bench.refusals("sessions.stop_check", {}))).toEqual(["session_missing"]);
  });
});

describe("fleet.idle", () => {
  it("A6.4 the board and fleet.idle name the same items, and none that has landed", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const [item, waiting] = await holding(bench, "pending");
    const { project } = item;
    const done = await sampleItem(db, { key: project } as Parameters<typeof sampleItem>[1]);
    await bench.done("claim.take", { item: done.key }, waiting);
    await setItemStatus(db, { item: done.key, status: "landed", at: noon });
    const awaitingLanding = [{ session: waiting, items: [item.key] }];
    expect(await bench.done("fleet.idle", { project })).toMatchObject({ awaitingLanding });
    expect(await bench.done("status.board", { project })).toMatchObject({ awaitingLanding });
  });

  it("A6.4 tells who is idle, who awaits a landing, and what nobody holds", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const [item, waiting] = await holding(bench, "pending");
    const { project } = item;
    const owner = { key: project } as Parameters<typeof sampleItem>[1];
    const free = await sampleItem(db, owner);
    const done = await sampleItem(db, owner);
    await setItemStatus(db, { item: done.key, status: "landed", at: noon });
    const idle = await sampleSession(db, { project });
    const answer = await bench.done("fleet.idle", { project });
    expect(answer).toMatchObject({
      awaitingLanding: [{ session: waiting, items: [item.key] }],
      unclaimed: [{ item: free.key, title: free.title }],
    });
    expect(answer["idle"]).toContainEqual({
      session: idle.id,
      harness: "person",
      steering: false,
    });
    expect(answer["idle"]).not.toContainEqual(expect.objectContaining({ session: waiting }));
    expect(codes(await bench.refusals("fleet.idle", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});

describe("notices.list and notices.ack", () => {
  it("A6.4 list what was not acknowledged, and each is acknowledged once", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const [item, holder] = await holding(bench, "stopped");
    const { id: other } = await sampleSession(db);
    const notice = noticeOf(item);
    const { id } = await recordNotice(db, {
      project: item.project,
      item: item.key,
      notice,
      at: noon,
    });
    await setRecipient(db, { key: notice.key, session: holder });
    await markFailed(db, { key: notice.key, error: "no such command", at: noon });
    const list = await bench.done("notices.list", { session: holder });
    expect(list["notices"]).toMatchObject([
      { id, state: "pending", attempts: 1, lastError: "no such command" },
    ]);
    expect(codes(await bench.refusals("notices.ack", { id }, other))).toEqual(["claim_held"]);
    expect(await bench.done("notices.ack", { id }, holder)).toMatchObject({
      notice: { id, state: "acknowledged" },
    });
    expect(await bench.done("notices.list", { item: item.key })).toEqual({ notices: [] });
    const all = await bench.done("notices.list", { item: item.key, all: true });
    expect(all["notices"]).toHaveLength(1);
  });

  it("refuse a notice, an item or a project that is not there", async () => {
    const bench = makeBench();
    expect(codes(await bench.refusals("notices.ack", { id: "ghost" }))).toEqual(["notice_unknown"]);
    expect(codes(await bench.refusals("notices.list", { item: "NONE-1" }))).toEqual([
      "item_unknown",
    ]);
    expect(codes(await bench.refusals("notices.list", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});

describe("steering.say and steering.list", () => {
  it("A6.4 keep what was said beside its item, and name who sits in the seat", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item, project } = await sampleItem(db);
    const from = await sampleSession(db);
    const empty = await bench.done("steering.say", { text: "Look at this.", item }, from.id);
    expect(empty).toMatchObject({
      message: { project, item, fromSession: from.id, text: "Look at this.", saidAt: noon },
      seat: null,
    });
    const seat = await sampleSession(db, { project, steering: true });
    expect(await bench.done("steering.say", { text: "And this.", project })).toMatchObject({
      message: { item: null, fromSession: null },
      seat: seat.id,
    });
    const { messages } = (await bench.done("steering.list", { project })) as {
      messages: { text: string }[];
    };
    expect(messages.map(({ text }) => text).sort()).toEqual(["And this.", "Look at this."]);
  });

  it("refuse a word to nobody, and one from a session that is not registered", async () => {
    const bench = makeBench();
    const { project } = await sampleItem(bench.context.db);
    expect(codes(await bench.refusals("steering.say", { text: "Hello" }))).toEqual([
      "project_missing",
    ]);
    expect(codes(await bench.refusals("steering.say", { text: "Hi", project }, "ghost"))).toEqual([
      "session_unknown",
    ]);
    expect(codes(await bench.refusals("steering.list", { project: "NONE" }))).toEqual([
      "project_unknown",
    ]);
  });
});
