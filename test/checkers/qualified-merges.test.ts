import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";
import { land } from "./a-landing.js";
import { madeWrong } from "./made-wrong.js";
import { qualifiedMerges } from "./qualified-merges.js";
import type { SimulatedWorld } from "./world.js";

it("a commit on the gate branch without a qualification of it is seen, and one that was qualified is not", async () => {
  const story = await Story.begin();
  await land(story, "Sell tea");
  const world = (await story.settledWorld()) as SimulatedWorld;
  expect(await qualifiedMerges.violations(world)).toEqual([]);

  for (const change of [
    sql`update qualifications set tree = ${"0".repeat(40)}`,
    sql`update qualifications set commit = ${"0".repeat(40)}`,
    sql`update qualifications set verdict = 'failed'`,
  ]) {
    const seen = await madeWrong(world.db, [change], (db) =>
      qualifiedMerges.violations({ ...world, db }),
    );
    expect(seen).toEqual([expect.stringContaining("no passing qualification is of that commit")]);
  }
});

it("what a person puts on the gate branch is seen, unless the story says that a person did", async () => {
  const story = await Story.begin();
  const { world: github } = story.simulator;
  const pushed = await github.commitFiles(story.repository, {
    branch: "main",
    files: { "by-hand.txt": "by hand\n" },
    message: "By hand",
  });
  const world = (await story.settledWorld()) as SimulatedWorld;
  expect(await qualifiedMerges.violations(world)).toEqual([
    `${pushed} is on the gate branch and no pull request merged as it`,
  ]);
  story.byPeople.push(pushed);
  expect(await qualifiedMerges.violations(world)).toEqual([]);
});
