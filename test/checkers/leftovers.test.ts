import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";
import { land } from "./a-landing.js";
import { lanesOfLanded, refsOfErrands, reservationsOfLanded } from "./leftovers.js";
import { madeWrong } from "./made-wrong.js";
import type { ClonedWorld } from "./world.js";

it("what is left of a landed item is seen, and a clean end is not", async () => {
  const story = await Story.begin();
  const item = await land(story, "Sell tea");
  const world = (await story.settledWorld()) as ClonedWorld;
  const { clone } = world;
  for (const rule of [lanesOfLanded, refsOfErrands, reservationsOfLanded]) {
    expect(await rule.violations(world)).toEqual([]);
  }
  const branch = `lane/${item.toLowerCase()}`;
  const folder = join(story.home, item);
  const lanes = () => lanesOfLanded.violations(world);

  await Story.git(clone, "branch", branch);
  expect(await lanes()).toEqual([`${item}: branch ${branch} is left`]);
  await Story.git(clone, "worktree", "add", "-q", folder, branch);
  expect(await lanes()).toEqual([
    `${item}: branch ${branch} is left`,
    `${item}: worktree ${folder} is still registered`,
    `${item}: folder ${folder} is left`,
  ]);
  expect(await lanesOfLanded.violations({ ...world, keptLanes: [item] })).toEqual([]);
  await Story.git(clone, "worktree", "remove", folder);
  await Story.git(clone, "branch", "-D", branch);
  await mkdir(folder);
  expect(await lanes()).toEqual([`${item}: folder ${folder} is left`]);
  await rm(folder, { recursive: true });
  const active = sql`update lanes set state = 'active', removed_at = null`;
  expect(
    await madeWrong(world.db, [active], (db) => lanesOfLanded.violations({ ...world, db })),
  ).toEqual([`${item}: lane ${branch} is still recorded`]);

  await Story.git(clone, "update-ref", "refs/yoke/probe", "HEAD");
  expect(await refsOfErrands.violations(world)).toEqual(["refs/yoke/probe is left"]);
  await Story.git(clone, "update-ref", "-d", "refs/yoke/probe");

  const reserved = sql`update reservations set state = 'reserved', settled_at = null`;
  expect(
    await madeWrong(world.db, [reserved], (db) =>
      reservationsOfLanded.violations({ ...world, db }),
    ),
  ).toContain(`arm:${item}:1:1 is still reserved`);
});
