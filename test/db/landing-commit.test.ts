import { describe, expect, it } from "vitest";
import { closeOutLanding } from "../../db/closeout.js";
import { findItem, setItemStatus } from "../../db/items.js";
import { commitLanding, type LandingCommit } from "../../db/landing-commit.js";
import { findLanding } from "../../db/landings.js";
import { listNotices } from "../../db/notices.js";
import { listReceipts, newestCompletedReceipt } from "../../db/receipts.js";
import type { Item } from "../../src/core/records.js";
import { query, withDatabase } from "./cluster.js";
import { after, landedState, noon, noticeOf, sampleItem, sha, stampOf, stateOf } from "./sample.js";

const on = withDatabase();

const landed = (item: Item, given: Partial<LandingCommit> = {}): LandingCommit => ({
  state: landedState(item),
  version: 2,
  why: "merged",
  at: after(61),
  stamp: stampOf(),
  notices: [noticeOf(item)],
  result: "turned",
  verification: null,
  ...given,
});

async function everything(item: Item) {
  const { key } = item;
  return {
    landing: await findLanding(on.db, { item: key }),
    item: await findItem(on.db, { key }),
    receipts: await listReceipts(on.db, { item: key }),
    notices: await listNotices(on.db, { item: key }),
  };
}

describe("commitLanding", () => {
  it("A11.1 stores state, stamps, receipt identity and notice together", async () => {
    const item = await sampleItem(on.db);
    const { saved, notices } = await commitLanding(on.db, landed(item));
    expect(saved).toBe(true);
    expect(await everything(item)).toEqual({
      landing: expect.objectContaining({ version: 2, result: "turned", why: "merged" }),
      item: {
        ...item,
        status: "landing",
        mergedAt: after(60),
        mergeQueueLandedAt: after(60),
        mergeCommit: sha("c"),
      },
      receipts: [{ item: item.key, ...stampOf(), recordedAt: after(61), closeOut: null }],
      notices,
    });
    expect(notices).toMatchObject([
      { key: `${item.key}:1:landed`, state: "pending", recipient: null, attempts: 0 },
    ]);
  });

  it("A11.1 re-observation is idempotent: the same version again changes nothing and answers the stored notices", async () => {
    const item = await sampleItem(on.db);
    const { notices } = await commitLanding(on.db, landed(item));
    const before = await everything(item);
    const again = await commitLanding(on.db, landed(item, { at: after(99) }));
    expect(again).toEqual({ saved: false, notices });
    expect(await everything(item)).toEqual(before);
    const older = landed(item, { version: 1, state: stateOf(item), notices: [] });
    expect(await commitLanding(on.db, older)).toEqual({ saved: false, notices: [] });
    expect(await everything(item)).toEqual(before);
  });

  it("A11.1 the same commit from many at once is stored once", async () => {
    const item = await sampleItem(on.db);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => commitLanding(on.db, landed(item))),
    );
    expect(answers.filter(({ saved }) => saved)).toHaveLength(1);
    expect(new Set(answers.map(({ notices }) => notices[0]?.id)).size).toBe(1);
    expect((await everything(item)).receipts).toHaveLength(1);
  });

  for (const [table, column] of [
    ["landings", "why"],
    ["items", "merge_commit"],
    ["receipts", "target"],
    ["notices", "title"],
  ] as const) {
    it(`A11.1 a failure at ${table} leaves nothing stored`, async () => {
      const item = await sampleItem(on.db);
      const before = await everything(item);
      const refusal = `refuse_${table}`;
      await query(
        on.url,
        `alter table ${table} add constraint ${refusal} check (${column} is null) not valid`,
      );
      try {
        await expect(commitLanding(on.db, landed(item))).rejects.toMatchObject({
          cause: { constraint: refusal },
        });
      } finally {
        await query(on.url, `alter table ${table} drop constraint ${refusal}`);
      }
      expect(await everything(item)).toEqual(before);
      expect(await commitLanding(on.db, landed(item))).toMatchObject({ saved: true });
    });
  }

  it("A11.1 a later landing keeps the earlier receipt's identity, and the item's stamps move onto it (A10.4)", async () => {
    const item = await sampleItem(on.db);
    await commitLanding(on.db, landed(item));
    await setItemStatus(on.db, { item: item.key, status: "landed", at: after(70) });
    const stamp = stampOf({ pullRequest: 15, mergeCommit: sha("e"), mergedAt: after(600) });
    const key = `${item.key}:2:landed`;
    await commitLanding(
      on.db,
      landed(item, { version: 3, stamp, notices: [noticeOf(item, { key, episode: 2 })] }),
    );
    const now = await everything(item);
    expect(now.item).toMatchObject({
      status: "landed",
      mergedAt: after(600),
      mergeCommit: sha("e"),
    });
    expect(now.receipts.map(({ mergeCommit }) => mergeCommit)).toEqual([sha("e"), sha("c")]);
    expect(now.notices.map((notice) => notice.key)).toEqual([`${item.key}:1:landed`, key]);
  });

  it("an item is landing from its merge boundary on, and not before", async () => {
    const item = await sampleItem(on.db);
    const commit = { why: "", at: noon, notices: [] };
    const without = stateOf(item, { phase: "unarmed", pullRequest: null });
    await commitLanding(on.db, { ...commit, state: without, version: 1 });
    expect(await findItem(on.db, { key: item.key })).toMatchObject({ status: "open" });
    await commitLanding(on.db, { ...commit, state: stateOf(item), version: 2 });
    expect(await findItem(on.db, { key: item.key })).toMatchObject({ status: "landing" });
  });
});

describe("closeOutLanding", () => {
  const proof = {
    mergeCommit: sha("d"),
    mergeTree: sha("9"),
    contributedCommits: [sha("a")],
    changedFiles: ["src/widget.ts"],
    gateHead: sha("8"),
    how: "merge" as const,
  };
  const closeOut = (item: Item) => ({
    state: landedState(item, { phase: "closed_out" as const }),
    version: 3,
    why: "closed out",
    at: after(90),
    result: "turned",
    verification: "42 tests",
    proof,
  });

  it("A11.4 enriches that receipt, marks the item landed, and stores the state", async () => {
    const item = await sampleItem(on.db);
    await commitLanding(on.db, landed(item));
    expect(await newestCompletedReceipt(on.db, { item: item.key })).toBeNull();
    const receipt = await closeOutLanding(on.db, closeOut(item));
    expect(receipt).toEqual({
      item: item.key,
      ...stampOf(),
      recordedAt: after(61),
      closeOut: {
        carriedBy: sha("d"),
        proof: "ancestry",
        result: "turned",
        verification: "42 tests",
        changedFiles: ["src/widget.ts"],
        contributedCommits: [sha("a")],
        at: after(90),
        integrity: null,
        verifiedByGroup: null,
      },
    });
    const now = await everything(item);
    expect(now).toMatchObject({
      landing: { version: 3, state: { phase: "closed_out" } },
      item: { status: "landed" },
      receipts: [receipt],
      notices: [{ kind: "landed", state: "acknowledged" }],
    });
    expect(await listNotices(on.db, { item: item.key, open: true })).toEqual([]);
    expect(await newestCompletedReceipt(on.db, { item: item.key })).toEqual(receipt);
    const repeat = { ...closeOut(item), result: "other", at: after(99) };
    expect(await closeOutLanding(on.db, repeat)).toEqual(receipt);
    expect(await everything(item)).toEqual(now);
  });

  it("A11.3 without a receipt nothing is stored and the item stays before landing", async () => {
    const item = await sampleItem(on.db);
    await commitLanding(on.db, {
      state: stateOf(item),
      version: 1,
      why: "armed",
      at: noon,
      notices: [],
    });
    const before = await everything(item);
    await expect(closeOutLanding(on.db, closeOut(item))).rejects.toThrow("has no row");
    const pending = { ...closeOut(item), state: stateOf(item) };
    await expect(closeOutLanding(on.db, pending)).rejects.toThrow("it has not landed");
    expect(await everything(item)).toEqual(before);
  });
});
