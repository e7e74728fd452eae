import { describe, expect, it } from "vitest";
import { putSection, setItemStatus } from "../../db/items.js";
import { commitLanding } from "../../db/landing-commit.js";
import { enrichReceipt } from "../../db/receipts.js";
import { EXIT } from "../../src/core/refusals.js";
import {
  after,
  landedState,
  noon,
  sampleItem,
  sampleProject,
  sampleSession,
  sha,
  stampOf,
} from "../db/sample.js";
import { benchOfFile, codes } from "./bench.js";

const makeBench = benchOfFile();

describe("items.add, items.list and items.get", () => {
  it("number the items of a project, and show them as they are", async () => {
    const bench = makeBench();
    const { key } = await sampleProject(bench.context.db);
    const first = await bench.done("items.add", { project: key, title: "  Turn widgets " });
    await bench.done("items.add", { project: key, title: "Stop widgets", body: "Now." });
    expect(first["item"]).toMatchObject({
      key: `${key}-1`,
      title: "Turn widgets",
      status: "open",
      createdAt: noon,
    });
    const all = await bench.done("items.list", { project: key });
    expect(all["items"]).toMatchObject([{ key: `${key}-1` }, { key: `${key}-2`, body: "Now." }]);
    expect(await bench.done("items.get", { item: `${key}-1` })).toMatchObject({
      item: first["item"],
    });
  });

  it("refuse a project or an item that is not there", async () => {
    const bench = makeBench();
    const nothing = { project: "NONE" };
    expect(codes(await bench.refusals("items.add", { ...nothing, title: "t" }))).toEqual([
      "project_unknown",
    ]);
    expect(codes(await bench.refusals("items.list", nothing))).toEqual(["project_unknown"]);
    expect(codes(await bench.refusals("items.get", { item: "NONE-1" }))).toEqual(["item_unknown"]);
    expect(codes(await bench.refusals("items.detail.get", { item: "NONE-1" }))).toEqual([
      "item_unknown",
    ]);
  });
});

describe("items.depends", () => {
  it("A3.2 refuses the declaration that closes a circle, with the whole path, and keeps what was there", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const [a, b, c] = [
      await sampleItem(db, project),
      await sampleItem(db, project),
      await sampleItem(db, project),
    ].map(({ key }) => key);
    await bench.done("items.depends", { item: b, on: a });
    await bench.done("items.depends", { item: c, on: b });
    expect(await bench.refusals("items.depends", { item: a, on: c })).toMatchObject([
      {
        code: "dependency_cycle",
        exit: EXIT.refused,
        seen: { path: [a, c, b, a].join(" → ") },
      },
    ]);
    expect(codes(await bench.refusals("items.depends", { item: a, on: a }))).toEqual([
      "dependency_cycle",
    ]);
    const again = await bench.done("items.depends", { item: c, on: b });
    expect(again).toMatchObject({ added: false, predecessors: [{ item: b, status: "open" }] });
  });

  it("A3.2 refuses a circle that runs through a third project", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const [a, b, c] = [await sampleItem(db), await sampleItem(db), await sampleItem(db)];
    await bench.done("items.depends", { item: b.key, on: a.key });
    await bench.done("items.depends", { item: c.key, on: b.key });
    expect(codes(await bench.refusals("items.depends", { item: a.key, on: c.key }))).toEqual([
      "dependency_cycle",
    ]);
  });

  it("A3.2 of two declarations at once that close a circle together one is refused", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const [a, b] = [await sampleItem(db, project), await sampleItem(db, project)];
    const both = await Promise.all([
      bench.ask("items.depends", { item: a.key, on: b.key }),
      bench.ask("items.depends", { item: b.key, on: a.key }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe("items.detail.get and items.section.get", () => {
  it("A11.1 A10.7 show the landing, its receipts, and what else is recorded of the item", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const [item, before] = [await sampleItem(db, project), await sampleItem(db, project)];
    const session = await sampleSession(db);
    await bench.done("items.depends", { item: item.key, on: before.key });
    await bench.done("claim.take", { item: item.key }, session.id);
    await bench.done(
      "qualifications.record",
      { item: item.key, commit: sha("a"), tree: sha("b"), verdict: "passed", evidence: "green" },
      session.id,
    );
    await commitLanding(db, {
      state: landedState(item),
      version: 1,
      why: "GitHub merged it",
      at: after(61),
      stamp: stampOf(),
      notices: [],
      result: "widgets turn",
    });
    const owed = await bench.done("items.section.get", {
      item: item.key,
      section: "Merge Receipts",
    });
    expect(owed["section"]).toMatchObject({ body: expect.stringContaining("close-out: owed") });
    await enrichReceipt(db, {
      item: item.key,
      pullRequest: 12,
      mergeCommit: sha("c"),
      closeOut: {
        carriedBy: sha("d"),
        proof: "ancestry",
        integrity: { is: "intact" },
        verifiedByGroup: true,
        result: "widgets turn",
        verification: null,
        changedFiles: ["turn.ts"],
        contributedCommits: [sha("a")],
        at: after(90),
      },
    });
    expect(await bench.done("items.detail.get", { item: item.key })).toMatchObject({
      item: { key: item.key, mergeCommit: sha("c") },
      merge_queue: {
        landing: { phase: "landed", why: "GitHub merged it", mergeCommit: sha("c") },
        stateAt: after(61),
        result: "widgets turn",
        receipts: [{ mergeCommit: sha("c"), closeOut: { carriedBy: sha("d") } }],
        lanes: [],
        claim: { session: session.id },
        predecessors: [{ item: before.key }],
        qualifications: [{ commit: sha("a"), verdict: "passed" }],
      },
    });
    const { section } = (await bench.done("items.section.get", {
      item: item.key,
      section: "Merge Receipts",
    })) as { section: { body: string } };
    for (const said of [sha("c"), `carried by: ${sha("d")}`, "widgets turn", "turn.ts"]) {
      expect(section.body).toContain(said);
    }
  });

  it("show a stored section, and refuse one that is not there with the names that are", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    await putSection(bench.context.db, { item: item.key, name: "Plan", body: "Turn.", at: noon });
    expect(await bench.done("items.section.get", { item: item.key, section: "Plan" })).toEqual({
      item: item.key,
      section: { name: "Plan", body: "Turn.", writtenAt: noon },
    });
    const [refusal] = await bench.refusals("items.section.get", { item: item.key, section: "Pla" });
    expect(refusal).toMatchObject({ code: "section_unknown" });
    expect(refusal?.message).toContain("Plan, Merge Receipts");
  });
});

describe("lanes.register and lanes.list", () => {
  const lane = (item: string, given: object = {}) => ({
    item,
    branch: `turn-${item}`,
    path: `/work/${item}`,
    commonDir: "/work/widgets/.git",
    host: "bench",
    remote: "origin",
    ...given,
  });

  it("register a worktree once, however often it is asked", async () => {
    const bench = makeBench();
    const { key } = await sampleItem(bench.context.db);
    const first = await bench.done("lanes.register", lane(key));
    expect(first["lane"]).toMatchObject({ item: key, state: "active", registeredAt: noon });
    expect(await bench.done("lanes.register", lane(key))).toEqual(first);
    expect(await bench.done("lanes.list", { item: key })).toEqual({ lanes: [first["lane"]] });
  });

  it("refuse a worktree that is the lane of another item, and name that item", async () => {
    const bench = makeBench();
    const [one, two] = [await sampleItem(bench.context.db), await sampleItem(bench.context.db)];
    await bench.done("lanes.register", lane(one.key));
    const same = lane(two.key, { path: `/work/${one.key}` });
    expect(await bench.refusals("lanes.register", same)).toMatchObject([
      { code: "lane_exists", seen: { item: one.key } },
    ]);
    expect(codes(await bench.refusals("lanes.list", { item: "NONE-1" }))).toEqual(["item_unknown"]);
  });

  it("A1.2 refuse the gate branch itself: nothing could land from it", async () => {
    const bench = makeBench();
    const { key } = await sampleItem(bench.context.db);
    expect(await bench.refusals("lanes.register", lane(key, { branch: "main" }))).toMatchObject([
      { code: "lane_is_gate_branch", seen: { gateBranch: "main" } },
    ]);
    expect(await bench.done("lanes.list", { item: key })).toEqual({ lanes: [] });
  });
});

describe("qualifications.record", () => {
  const verified = (item: string) => ({
    item,
    commit: sha("a"),
    tree: sha("b"),
    verdict: "passed",
    evidence: "npm test: 12 passed",
  });

  it("A1.2 records under the current requirement, and says when it was verified under another", async () => {
    const bench = makeBench();
    const { key } = await sampleItem(bench.context.db);
    expect(await bench.done("qualifications.record", verified(key))).toMatchObject({
      qualification: { requirementDigest: "digest-1", recordedBy: "person", recordedAt: noon },
      current: true,
    });
    const other = { ...verified(key), requirementDigest: "0".repeat(64) };
    expect(await bench.done("qualifications.record", other)).toMatchObject({ current: false });
  });

  it("lets only the holder record; a claim whose session ended keeps nobody out", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key } = await sampleItem(db);
    const [holder, other] = [await sampleSession(db), await sampleSession(db)];
    await bench.done("claim.take", { item: key }, holder.id);
    const refused = await bench.refusals("qualifications.record", verified(key), other.id);
    expect(codes(refused)).toEqual(["claim_held"]);
    await bench.done("qualifications.record", verified(key), holder.id);
    await bench.done("sessions.end", {}, holder.id);
    expect(await bench.done("qualifications.record", verified(key), other.id)).toMatchObject({
      qualification: { recordedBy: other.id },
    });
  });

  it("refuses a short commit id", async () => {
    const bench = makeBench();
    const { key } = await sampleItem(bench.context.db);
    const refused = await bench.refusals("qualifications.record", {
      ...verified(key),
      commit: "abc1234",
    });
    expect(refused).toMatchObject([{ code: "input_invalid", seen: { fields: "commit" } }]);
  });
});

describe("items that landed", () => {
  it("stay in the list with their status", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    await setItemStatus(bench.context.db, { item: item.key, status: "landed", at: noon });
    const list = await bench.done("items.list", { project: item.project });
    expect(list["items"]).toMatchObject([{ key: item.key, status: "landed" }]);
  });
});
