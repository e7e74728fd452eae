import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Story, type Lane } from "./story.js";

interface Receipts {
  readonly merge_queue: {
    readonly receipts: readonly { readonly mergeCommit: string; readonly closeOut: unknown }[];
  };
}

/** A lane of two commits, pushed and qualified. */
async function laneOfTwo(story: Story, title: string): Promise<{ item: string; lane: Lane }> {
  const { item, lane } = await story.lane(title);
  await writeFile(join(lane.path, `${item}-more.txt`), "more\n");
  await Story.git(lane.path, "add", "-A");
  await Story.git(lane.path, "commit", "-qm", `${title}, more of it`);
  await Story.git(lane.path, "push", "-q", "origin", lane.branch);
  const read = await story.read(lane.path);
  await story.qualify(item, read);
  return { item, lane: read };
}

const methods = ["SQUASH", "REBASE"] as const;

describe("a queue that leaves no ancestry", () => {
  it.each(methods)(
    "A2.5 A16.2 one that merges by %s is refused before anything is armed, unless the project opted in",
    async (mergeMethod) => {
      const story = await Story.begin({ queue: { mergeMethod } });
      const { item, lane } = await laneOfTwo(story, "Sell tea");
      const refused = await story.merge(item, lane.path);
      expect(refused).toMatchObject({
        ok: false,
        exit: 2,
        refusals: [{ code: "merge_method_cannot_be_proved" }],
      });
      expect(JSON.stringify(refused)).toContain("--close-out content");
      expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(0);
    },
  );

  it.each(methods)(
    "A16.2 case A33 a train that merges by %s lands, proved by content, and its lanes are cleaned",
    async (mergeMethod) => {
      const story = await Story.begin({
        queue: { mergeMethod },
        project: { closeOut: "content" },
      });
      const [one, two] = [await laneOfTwo(story, "Tea"), await laneOfTwo(story, "Coffee")];
      for (const { item, lane } of [one, two]) {
        expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
      }
      await story.finishChecks();
      for (const { item, lane } of [one, two]) {
        await story.settle(item, "landed");
        const landed = await story.merge(item, lane.path);
        expect(landed).toMatchObject({
          ok: true,
          exit: 0,
          output: { outcome: "landed", lane: { removed: true } },
        });
        expect(existsSync(lane.path)).toBe(false);
        const detail = await story.ok<Receipts>("items.detail.get", { item });
        const [receipt] = detail.merge_queue.receipts;
        expect(receipt?.closeOut).toMatchObject({
          carriedBy: receipt?.mergeCommit,
          proof: "content",
          integrity: { is: "intact" },
          changedFiles: [`${item}-more.txt`, `${item}.txt`],
        });
      }
    },
  );

  it.each(methods)(
    "A16.1 A16.2 case A34 a wrong tree of a queue that merges by %s freezes arming and never lands",
    async (mergeMethod) => {
      const story = await Story.begin({
        queue: { mergeMethod },
        project: { closeOut: "content" },
      });
      const { item, lane } = await laneOfTwo(story, "Tea");
      await story.simulator.world.writeWrongTree(story.repository);
      expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
      await story.finishChecks();
      await story.settle(item, "landed");
      const refused = await story.merge(item, lane.path);
      expect(refused).toMatchObject({ ok: false, refusals: [{ code: "landed_tree_wrong" }] });
      expect(JSON.stringify(refused)).toContain(`${item}-more.txt`);
      expect(existsSync(lane.path)).toBe(true);
    },
  );
});
