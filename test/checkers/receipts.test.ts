import { sql, type SQL } from "drizzle-orm";
import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";
import { land } from "./a-landing.js";
import { madeWrong } from "./made-wrong.js";
import { receiptsOfHistory, receiptsOfLandings } from "./receipts.js";
import type { SimulatedWorld } from "./world.js";

const elsewhere = "e".repeat(40);

it("receipts that do not equal the landings and the branch's history are seen; the true ones are not", async () => {
  const story = await Story.begin();
  const item = await land(story, "Sell tea");
  await land(story, "Sell cake");
  const world = (await story.settledWorld()) as SimulatedWorld;
  const ofLandings = (change: SQL) =>
    madeWrong(world.db, [change], (db) => receiptsOfLandings.violations({ ...world, db }));
  const ofHistory = (change: SQL) =>
    madeWrong(world.db, [change], (db) => receiptsOfHistory.violations({ ...world, db }));
  expect(await receiptsOfLandings.violations(world)).toEqual([]);
  expect(await receiptsOfHistory.violations(world)).toEqual([]);

  const gone = sql`delete from receipts where item = ${item}`;
  expect(await ofLandings(gone)).toEqual([expect.stringContaining("0 receipts say so")]);
  expect(await ofHistory(gone)).toEqual([expect.stringContaining("has 0 receipts")]);

  const another = sql`
    insert into receipts (item, pull_request, head_branch, target, head, merge_commit, merged_at, recorded_at)
    select item, pull_request, head_branch, target, head, ${elsewhere}, merged_at, recorded_at
    from receipts where item = ${item}`;
  expect(await ofHistory(another)).toEqual([
    `a receipt of ${item} names ${elsewhere}, which is not on \`main\``,
  ]);

  const doubled = sql`
    insert into receipts (item, pull_request, head_branch, target, head, merge_commit, merged_at, recorded_at)
    select item, pull_request + 100, head_branch, target, head, merge_commit, merged_at, recorded_at
    from receipts where item = ${item}`;
  expect(await ofHistory(doubled)).toEqual([expect.stringContaining("has 2 receipts")]);

  const wrongHead = sql`update receipts set head = merge_commit where item = ${item}`;
  expect(await ofHistory(wrongHead)).toContainEqual(expect.stringContaining("its receipt says"));

  const wrongCarrier = sql`update receipts set carried_by = ${elsewhere} where item = ${item}`;
  expect(await ofHistory(wrongCarrier)).toEqual([expect.stringContaining("was first carried by")]);

  expect(await ofLandings(sql`update items set merge_commit = ${elsewhere}`)).toHaveLength(2);
  expect(await ofLandings(sql`update items set status = 'landing' where key = ${item}`)).toEqual([
    `${item} is closed out, and its status is landing`,
  ]);
  const open = sql`
    update receipts set carried_by = null, proof = null, changed_files = null,
      contributed_commits = null, closed_out_at = null, result = null, verification = null,
      integrity = null, verified_by_group = null
    where item = ${item}`;
  expect(await ofLandings(open)).toEqual([`${item} is closed_out; its receipt has no close-out`]);
});
