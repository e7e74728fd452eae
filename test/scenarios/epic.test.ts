import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listLandingAttempts } from "../../db/attempts.js";
import { listItemLandings } from "../../db/item-landings.js";
import { listTerritory } from "../../db/territory.js";
import { Story, type Lane } from "./story.js";

async function armed(story: Story, item: string, lane: Lane): Promise<void> {
  await story.qualify(item, lane);
  expect(await story.merge(item, lane.path)).toMatchObject({ exit: 9 });
}

describe("the lanes of an epic", () => {
  it("A12.1 A13.1 each lands through the queue, the later ones as attempts; the last gives the territory back", async () => {
    const story = await Story.begin();
    const { item, lane: first } = await story.lane("Sell drinks");
    const second = await story.laneOf(item, "Sell milk");
    const together = await story.laneOf(item, "Sell both", { integration: true });
    await story.ok("territory.claim", { item, kind: "path", name: "src/drinks" });
    await story.ok("territory.claim", { item, kind: "migration", name: "0007_drinks" });

    await armed(story, item, first);
    // One lane at a time: what GitHub may merge any moment is not given up for another lane.
    await story.qualify(item, second);
    expect(await story.merge(item, second.path)).toMatchObject({
      ok: false,
      refusals: [{ code: "item_landing_open", seen: { pullRequest: "1" } }],
    });
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");

    // The first lane still owes its close-out; the second does not have to wait for that.
    await armed(story, item, second);
    expect(await story.merge(item, first.path)).toMatchObject({
      exit: 0,
      output: { receipt: { pullRequest: 1 }, lane: { removed: true } },
    });
    expect(existsSync(first.path)).toBe(false);
    expect(await listTerritory(story.context.db, { item })).toHaveLength(2);
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed", { attempt: 2 });
    expect(await story.merge(item, second.path)).toMatchObject({
      exit: 0,
      output: { receipt: { pullRequest: 2 }, lane: { removed: true } },
    });

    await armed(story, item, together);
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed", { attempt: 3 });
    const landed = await story.merge(item, together.path);
    expect(landed).toMatchObject({ exit: 0, output: { lane: { removed: true } } });

    const { db } = story.context;
    const attempts = await listLandingAttempts(db, { item });
    expect(attempts).toMatchObject([
      { pullRequest: 2, outcome: "merged" },
      { pullRequest: 3, outcome: "merged" },
    ]);
    const landings = await listItemLandings(db, { item });
    expect(landings.map(({ branch }) => branch)).toEqual(
      [first, second, together].map(({ branch }) => branch),
    );
    expect(landings.at(-1)?.carriedBy).toBe(
      landed.ok ? landed.output.receipt?.carriedBy : undefined,
    );
    expect(await listTerritory(db, { item })).toEqual([]);
  });
});

describe("a deployment run", () => {
  it("A14.1 refuses a member that is being landed again, not one that was removed; a receipt counts before close-out", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell tea");
    const run = "first";
    await story.ok("deployment_runs.create", { run, project: story.project });
    await story.ok("deployment_runs.add_item", { run, item });
    expect(await story.ask("deployment_runs.admit", { run })).toMatchObject({
      refusals: [{ code: "deployment_member_not_landed" }],
    });
    await armed(story, item, lane);
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");

    const again = await story.laneOf(item, "Sell better tea");
    await armed(story, item, again);
    const open = { refusals: [{ code: "item_landing_open", seen: { pullRequest: "2" } }] };
    expect(await story.ask("deployment_runs.admit", { run })).toMatchObject(open);
    await story.ok("deployment_runs.create", { run: "second", project: story.project });
    const enrolled = await story.ask("deployment_runs.add_item", { run: "second", item });
    expect(enrolled).toMatchObject(open);

    const other = await story.lane("Sell cake");
    await armed(story, other.item, other.lane);
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(other.item, "landed");
    await story.ok("deployment_runs.add_item", { run: "second", item: other.item });
    // GitHub merged it and the gate branch contains it; that its close-out is owed keeps nothing back.
    const { run: admitted } = await story.ok<{ run: { admittedAt: string; members: unknown[] } }>(
      "deployment_runs.admit",
      { run: "second" },
    );
    expect(admitted).toMatchObject({ members: [{ item: other.item, pullRequest: 3 }] });
    expect(admitted.admittedAt).not.toBeNull();
    expect(
      await story.ask("deployment_runs.remove_item", { run: "second", item: other.item }),
    ).toMatchObject({ refusals: [{ code: "deployment_run_admitted" }] });

    await story.ok("deployment_runs.remove_item", { run, item });
    expect(await story.ask("deployment_runs.admit", { run })).toMatchObject({
      refusals: [{ code: "deployment_run_empty" }],
    });
  });
});
