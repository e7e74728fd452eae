import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Outcome } from "../../src/functions/define.js";
import { Story, type Lane } from "./story.js";
import { commitOnGate, storyWithoutQueue } from "./without-queue.js";

let story: Story;
let item: string;
let lane: Lane;

beforeEach(async () => {
  story = await storyWithoutQueue();
  ({ item, lane } = await story.lane("Sell tea"));
  await story.qualify(item, lane);
});

const codes = (outcome: Outcome) => (outcome.ok ? [] : outcome.refusals.map(({ code }) => code));
const onGitHub = () => story.simulator.world.pullRequest(story.repository, 1);
const sent = () =>
  story.simulator.services.log.list().filter(({ operation }) => operation === "MergePullRequest")
    .length;

it("A12.3 a project that declares no queue: the pull request is merged directly once its checks passed, and closed out", async () => {
  expect(await story.merge(item, lane.path, { dryRun: true })).toMatchObject({
    ok: true,
    output: { outcome: "would_arm", call: "merge_directly" },
  });
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  expect(onGitHub()).toMatchObject({ state: "OPEN", autoMerge: null });
  await story.upkeep();
  expect(sent()).toBe(0);
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(sent()).toBe(1);
  expect(await story.merge(item, lane.path)).toMatchObject({
    ok: true,
    exit: 0,
    output: { outcome: "landed", lane: { removed: true } },
  });
});

it("A12.3 the base moved during CI: stopped as MergeTargetStale, refused so until the lane is rebased, then landed", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await commitOnGate(story, "other.txt", "somebody else's\n");
  await story.finishChecks();
  await story.settle(item, "stopped");
  expect(sent()).toBe(0);
  expect((await story.context.landings.view(item))?.state.stop?.reason).toBe("MergeTargetStale");
  const refused = await story.merge(item, lane.path);
  expect(codes(refused)).toEqual(["MergeTargetStale"]);
  expect(refused.ok ? "" : refused.refusals[0]?.next).toContain("Rebase the lane onto `main`");

  await Story.git(lane.path, "fetch", "-q");
  await Story.git(lane.path, "rebase", "-q", "origin/main");
  await Story.git(lane.path, "push", "-qf", "origin", lane.branch);
  await story.qualify(item, await story.read(lane.path));
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
});

it("A12.3 case A11 a queue that appears while the checks run is never merged past", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.simulator.world.setRuleset(story.repository, {
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
  });
  await story.finishChecks();
  await story.settle(item, "stopped");
  expect((await story.context.landings.view(item))?.state.stop?.reason).toBe("gate_has_queue");
  expect(sent()).toBe(0);
  expect(codes(await story.merge(item, lane.path))).toEqual(["gate_rules_differ"]);
});

it("A12.2 A2.6 without a queue and without a declaration that there is none, nothing is merged", async () => {
  const clone = join(story.home, "clone");
  await Story.git(clone, "rm", "-q", ".yoke/merge-queue.json");
  await commitOnGate(story, "README.md", "no declaration any more\n");
  await Story.git(lane.path, "fetch", "-q");
  await Story.git(lane.path, "rebase", "-q", "origin/main");
  await Story.git(lane.path, "push", "-qf", "origin", lane.branch);
  await story.qualify(item, await story.read(lane.path));
  expect(codes(await story.merge(item, lane.path))).toEqual(["merge_queue_missing"]);
});

it.each(["after", "before"] as const)(
  "A12.3 case A31 a merge whose reply is lost %s its effect is read before anything is sent again, and lands once",
  async (cut) => {
    story.simulator.services.faults.add({ match: { operation: "MergePullRequest" }, cut });
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await story.finishChecks();
    await story.settle(item, "landed");
    expect(sent()).toBe(cut === "after" ? 1 : 2);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
  },
);

it("A12.3 A5.3 a failed required check stops it, names the check, and merges nothing", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.finishChecks("fail");
  await story.settle(item, "stopped");
  expect((await story.context.landings.view(item))?.state.stop).toMatchObject({
    reason: "checks_failed",
    failedChecks: [{ name: "ci" }],
  });
  expect(sent()).toBe(0);
});
