import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Story } from "./story.js";

interface Notices {
  readonly notices: readonly {
    readonly kind: string;
    readonly recipient: string | null;
    readonly title: string;
    readonly body: string;
    readonly next: string;
  }[];
}

/** A lane that GitHub has merged. */
async function merged(story: Story, title: string): Promise<{ item: string; path: string }> {
  const { item, lane } = await story.lane(title);
  await story.qualify(item, lane);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.finishChecks();
  await story.settle(item, "landed");
  return { item, path: lane.path };
}

async function steeringSeat(story: Story): Promise<string> {
  const mailbox = join(story.home, "steering");
  await story.ok("sessions.register", {
    id: "steering-1",
    project: story.project,
    harness: "person",
    steering: true,
    host: "desk",
    wakeRoute: { kind: "file", path: mailbox },
  });
  return mailbox;
}

describe("integrity of a landing", () => {
  it("A16.1 case A34 a queue that wrote a wrong tree: arming is frozen, the steering seat is told once, nothing has landed", async () => {
    const story = await Story.begin();
    const mailbox = await steeringSeat(story);
    await story.simulator.world.writeWrongTree(story.repository);
    const { item, path } = await merged(story, "Sell tea");

    for (let entered = 0; entered < 2; entered += 1) {
      const refused = await story.merge(item, path);
      expect(refused).toMatchObject({
        ok: false,
        exit: 2,
        refusals: [{ code: "landed_tree_wrong" }],
      });
      expect(JSON.stringify(refused)).toContain(`${item}.txt`);
    }

    const stored = await story.ok<{ item: { status: string } }>("items.get", { item });
    expect(stored.item.status).toBe("landing");
    const { notices } = await story.ok<Notices>("notices.list", { item });
    const told = notices.filter(({ kind }) => kind === "wrong_tree");
    expect(told).toHaveLength(1);
    expect(told[0]?.recipient).toBe("steering-1");
    expect(told[0]?.body).toContain(`${item}.txt`);
    const lines = (await story.text(mailbox)).split("\n").filter((line) => line.includes(item));
    expect(lines.filter((line) => line.includes('"wrong_tree"'))).toHaveLength(1);

    const explained = await story.ok<{ reasons: { code: string }[] }>("explain.item", { item });
    expect(explained.reasons.map(({ code }) => code)).toContain("landed_tree_wrong");

    // Frozen with the reason, until people lift it; then the same commit freezes nothing again.
    const next = await story.lane("Sell coffee");
    await story.qualify(next.item, next.lane);
    const frozen = await story.merge(next.item, next.lane.path);
    expect(frozen).toMatchObject({ ok: false, refusals: [{ code: "project_frozen" }] });
    expect(JSON.stringify(frozen)).toContain(item);
    await story.ok("project.unfreeze", { project: story.project, reason: "looked at" });
    expect(await story.merge(item, path)).toMatchObject({
      refusals: [{ code: "landed_tree_wrong" }],
    });
    expect(await story.merge(next.item, next.lane.path)).toMatchObject({ ok: true, exit: 9 });
  });

  it("A16.1 A10.1 the item lands by another commit of its lane, once the freeze is lifted", async () => {
    const story = await Story.begin();
    await story.simulator.world.writeWrongTree(story.repository);
    const { item, path } = await merged(story, "Sell tea");
    expect(await story.merge(item, path)).toMatchObject({
      refusals: [{ code: "landed_tree_wrong" }],
    });
    await story.ok("project.unfreeze", { project: story.project, reason: "looked at" });

    await writeFile(join(path, "again.txt"), "tea\n");
    await Story.git(path, "add", "-A");
    await Story.git(path, "commit", "-qm", "Sell tea, again");
    await Story.git(path, "push", "-q", "origin", "HEAD");
    await story.qualify(item, await story.read(path));
    expect(await story.merge(item, path)).toMatchObject({ ok: true, exit: 9 });
    const [attempt] = story.simulator.world
      .pullRequests(story.repository)
      .filter(({ state }) => state === "OPEN");
    await story.finishChecks();
    await story.settle(item, "landed", { attempt: attempt?.number ?? 0 });
    expect(await story.merge(item, path)).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", lane: { removed: true } },
    });
    const stored = await story.ok<{ item: { status: string } }>("items.get", { item });
    expect(stored.item.status).toBe("landed");
  });

  it("A16.1 its twin, a clean merge, lands, and its receipt says that it is intact and verified by a group", async () => {
    const story = await Story.begin();
    const mailbox = await steeringSeat(story);
    const { item, path } = await merged(story, "Sell tea");
    expect(await story.merge(item, path)).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", landing: { label: "landed" } },
    });
    // Nobody claimed the item, so the seat is told that it landed, and of nothing else.
    const lines = (await story.text(mailbox)).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(["landed"]);
    const detail = await story.ok<{ merge_queue: { receipts: unknown[] } }>("items.detail.get", {
      item,
    });
    expect(detail.merge_queue.receipts).toMatchObject([
      { closeOut: { proof: "ancestry", integrity: { is: "intact" }, verifiedByGroup: true } },
    ]);
  });

  it("A16.1 a train of two that lands together is intact member by member", async () => {
    const story = await Story.begin();
    const [one, two] = [await story.lane("Sell tea"), await story.lane("Sell coffee")];
    for (const { item, lane } of [one, two]) {
      await story.qualify(item, lane);
      expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    }
    await story.finishChecks();
    for (const { item, lane } of [one, two]) {
      await story.settle(item, "landed");
      expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
    }
  });

  it("A16.1 a landing whose commit no group ran on is marked as not verified by a group", async () => {
    const story = await Story.begin();
    const { world } = story.simulator;
    await world.setWorkflows(story.repository, []);
    await world.setRuleset(story.repository, { name: "main", mergeQueue: {} });
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    // Nothing is required, so that the queue merges at once.
    expect(await story.merge(item, lane.path)).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", landing: { label: "landed, not verified by a group" } },
    });
    const detail = await story.ok<{ merge_queue: { receipts: unknown[] } }>("items.detail.get", {
      item,
    });
    expect(detail.merge_queue.receipts).toMatchObject([{ closeOut: { verifiedByGroup: false } }]);
  });
});
