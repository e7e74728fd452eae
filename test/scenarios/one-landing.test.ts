import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Story } from "./story.js";

describe("one landing, end to end", () => {
  it("A1.1 A1.3 A1.4 A1.6 A11.4 arms once, is pending, lands, and closes out on re-entry", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);

    const armed = await story.merge(item, lane.path, {
      result: "tea is sold",
      verification: "npm test",
    });
    expect(armed).toMatchObject({ ok: true, exit: 9, output: { outcome: "landing_pending" } });

    const [pullRequest] = story.simulator.world.pullRequests(story.repository);
    expect(pullRequest).toMatchObject({ headSha: lane.head, baseBranch: "main" });
    expect(pullRequest?.autoMerge).not.toBeNull();

    // From a second terminal: the same answer, and nothing more is asked of GitHub.
    const again = await story.merge(item, lane.path);
    expect(again).toMatchObject({ ok: true, exit: 9 });
    const armings = pullRequest?.timeline.filter(({ type }) => type === "AutoMergeEnabledEvent");
    expect(armings).toHaveLength(1);

    await story.finishChecks();
    await story.worker.restart();
    await story.finishChecks();
    await story.settle(item, "landed");

    const landed = await story.merge(item, lane.path);
    expect(landed).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", lane: { removed: true } },
    });
    expect(existsSync(lane.path)).toBe(false);
    const detail = await story.ok("items.get", { item });
    expect(JSON.stringify(detail)).toContain("landed");
    const main = await story.simulator.world.git(story.repository).branch("main");
    expect(landed.ok && landed.output.receipt?.carriedBy).toBe(main);
    expect(landed.ok && landed.output.receipt).toMatchObject({
      result: "tea is sold",
      verification: "npm test",
    });
  });

  it("A1.2 refuses a candidate without a qualification, and arms nothing; its twin lands", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell coffee");
    const refused = await story.merge(item, lane.path);
    expect(refused).toMatchObject({
      ok: false,
      exit: 2,
      refusals: [{ code: "qualification_missing" }],
    });
    expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(0);
    await story.qualify(item, lane);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  });

  it("A3.1 A3.2 a predecessor that has not landed blocks before anything is armed", async () => {
    const story = await Story.begin();
    const first = await story.lane("Plant");
    const second = await story.lane("Harvest");
    await story.ok("items.depends", { item: second.item, on: first.item });
    await story.qualify(second.item, second.lane);
    const refused = await story.merge(second.item, second.lane.path);
    expect(refused).toMatchObject({
      ok: false,
      refusals: [{ code: "integration_dependency_blocked" }],
    });
    expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(0);
  });

  it("A5.3 A6.1 a failed group stops the landing with one notice; a new arming is a new episode", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell cake");
    await story.qualify(item, lane);
    await story.merge(item, lane.path);
    const { world } = story.simulator;
    for (const { job } of world.heldJobs(story.repository)) await world.releaseJob(job.id, "pass");
    await world.idle();
    await story.finishChecks("fail");
    await story.settle(item, "stopped");
    await story.upkeep();
    const { notices } = await story.ok<{ notices: { kind: string; reason: string }[] }>(
      "notices.list",
      { item },
    );
    expect(notices.map(({ kind, reason }) => ({ kind, reason }))).toEqual([
      { kind: "stopped", reason: "checks_failed" },
    ]);
    const again = await story.merge(item, lane.path);
    expect(again).toMatchObject({ ok: true, exit: 9, output: { landing: { episode: 2 } } });
  });

  it("A6.2 a hold lets go, is confirmed, and sends no notice", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell bread");
    await story.qualify(item, lane);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await story.ok("github.merge_queue.hold", { item });
    const [pullRequest] = story.simulator.world.pullRequests(story.repository);
    expect(pullRequest?.autoMerge).toBeNull();
    await story.upkeep();
    await story.settle(item, "held");
    const { notices } = await story.ok<{ notices: unknown[] }>("notices.list", { item });
    expect(notices).toEqual([]);
  });
});
