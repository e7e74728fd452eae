import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listLandingAttempts } from "../../db/attempts.js";
import { listReceipts } from "../../db/receipts.js";
import type { Lane } from "./story.js";
import { Story } from "./story.js";

interface Detail {
  readonly item: { readonly mergeCommit: string; readonly status: string };
  readonly merge_queue: {
    readonly landing: { readonly pullRequest: number; readonly phase: string };
    readonly attempt: {
      readonly pullRequest: number;
      readonly outcome: string | null;
      readonly reason: string | null;
      readonly landing: { readonly phase: string };
    } | null;
  };
}

const detailOf = (story: Story, item: string) => story.ok<Detail>("items.detail.get", { item });

/** An item that landed and was closed out, in a lane that was removed. */
async function landedItem(title: string): Promise<{ story: Story; item: string; lane: Lane }> {
  const story = await Story.begin();
  const { item, lane } = await story.lane(title);
  await story.qualify(item, lane);
  await story.merge(item, lane.path);
  await story.finishChecks();
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ exit: 0 });
  return { story, item, lane };
}

async function armAgain(story: Story, item: string): Promise<Lane> {
  const lane = await story.laneOf(item, `${item} corrected`);
  await story.qualify(item, lane);
  expect(await story.merge(item, lane.path)).toMatchObject({
    exit: 9,
    output: { outcome: "landing_pending" },
  });
  return lane;
}

describe("an item that landed lands again", () => {
  it("A10.1 A10.4 A10.7 by an attempt of its own; the item stays on its landing until that merges", async () => {
    const { story, item } = await landedItem("Sell tea");
    const before = await detailOf(story, item);
    expect(before.merge_queue.attempt).toBeNull();

    const lane = await armAgain(story, item);
    const during = await detailOf(story, item);
    expect(during.item.mergeCommit).toBe(before.item.mergeCommit);
    expect(during.merge_queue.landing).toMatchObject({ pullRequest: 1, phase: "closed_out" });
    expect(during.merge_queue.attempt).toMatchObject({
      pullRequest: 2,
      outcome: null,
      landing: { phase: "pending" },
    });
    const view = await story.temporal.workflow.getHandle(`reland:${item}:pr-2`).describe();
    expect(view.status.name).toBe("RUNNING");

    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed", { attempt: 2 });
    const merged = await detailOf(story, item);
    const main = await story.simulator.world.git(story.repository).branch("main");
    expect(merged.item.mergeCommit).toBe(main);
    expect(merged.merge_queue.landing).toMatchObject({ pullRequest: 2, phase: "landed" });
    expect(merged.merge_queue.attempt).toMatchObject({ pullRequest: 2, outcome: "merged" });
    const { notices } = await story.ok<{ notices: { kind: string; episode: number }[] }>(
      "notices.list",
      { item },
    );
    expect(notices.at(-1)).toMatchObject({ kind: "landed", episode: 2 });

    expect(await story.merge(item, lane.path)).toMatchObject({
      exit: 0,
      output: { outcome: "landed", receipt: { pullRequest: 2 }, lane: { removed: true } },
    });
    expect(existsSync(lane.path)).toBe(false);
    const receipts = await listReceipts(story.context.db, { item });
    expect(receipts.map(({ pullRequest }) => pullRequest)).toEqual([2, 1]);
  });

  it("A10.3 A10.4 an armed attempt closed unmerged says so once, then ends; the landing is unchanged", async () => {
    const { story, item } = await landedItem("Sell coffee");
    const session = await story.holder(item);
    await armAgain(story, item);
    const { world } = story.simulator;
    const [, pullRequest] = world.pullRequests(story.repository);
    const robin = await world.createUser("robin");
    await world.closePullRequest(story.repository, pullRequest?.number ?? 0, robin);
    await story.settle(item, "closed", { attempt: 2 });

    const { item: stored, merge_queue } = await detailOf(story, item);
    expect(merge_queue.landing).toMatchObject({ pullRequest: 1, phase: "closed_out" });
    expect(merge_queue.attempt).toMatchObject({
      pullRequest: 2,
      outcome: "closed_unmerged",
      reason: "pull request 2 closed without merging",
    });
    expect(stored.status).toBe("landed");
    const box = (await story.text(session.mailbox)).trim().split("\n");
    const told = box.map((line) => JSON.parse(line) as { kind: string; reason: string | null });
    expect(told.at(-1)).toMatchObject({ kind: "stopped", reason: "closed_unmerged" });
    expect(told.filter(({ kind }) => kind === "stopped")).toHaveLength(1);
  });

  it("A10.2 a newer pull request closes the older attempt as superseded; what is armed is not given up", async () => {
    const { story, item } = await landedItem("Sell cake");
    await armAgain(story, item);
    const newer = await story.laneOf(item, "another way");
    await story.qualify(item, newer);
    expect(await story.merge(item, newer.path)).toMatchObject({
      ok: false,
      refusals: [{ code: "item_landing_open", seen: { pullRequest: "2" } }],
    });
    await story.ok("github.merge_queue.hold", { item });
    expect(await story.merge(item, newer.path)).toMatchObject({ exit: 9 });
    const attempts = await listLandingAttempts(story.context.db, { item });
    expect(attempts).toMatchObject([
      { pullRequest: 2, outcome: "superseded" },
      { pullRequest: 3, outcome: null },
    ]);
  });

  it("A10.8 a lane that adds nothing closes out from the newest receipt, and arms nothing", async () => {
    const { story, item } = await landedItem("Sell bread");
    const lane = await story.laneOf(item, null);
    const answer = await story.merge(item, lane.path);
    expect(answer).toMatchObject({
      exit: 0,
      output: { outcome: "landed", receipt: { pullRequest: 1 }, lane: { removed: true } },
    });
    expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(1);
    // Its twin: a lane that adds something opens a pull request.
    await armAgain(story, item);
    expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(2);
  });
});
