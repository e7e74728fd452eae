import { expect, it } from "vitest";
import type { LandingViewOutput } from "../../src/functions/landing-view.js";
import { Story } from "./story.js";

interface Row {
  readonly item: string;
  readonly where: string;
  readonly checks: string | null;
  readonly next: string | null;
}

/** What somebody who waits sees: on the command line, in an explanation, and on the board. */
async function seen(story: Story, item: string) {
  const { landing } = await story.ok<{ landing: LandingViewOutput | null }>(
    "merge_queue.landing.observe",
    { item },
  );
  const { reasons } = await story.ok<{ reasons: readonly { text: string }[] }>("explain.item", {
    item,
  });
  const { projects } = await story.ok<{ projects: readonly { items: readonly Row[] }[] }>(
    "status.board",
    { project: story.project },
  );
  const row = projects[0]?.items.find((one) => one.item === item);
  return { checks: landing?.checks, position: landing?.position, text: reasons[0]?.text, row };
}

it("A1.5 A11.4 whoever waits sees the checks of the head, then the group's, and nothing is left to do at the end", async () => {
  const jobs = ["ci", "lint"].map((name) => ({ name, outcome: "hold" as const, duration: 0 }));
  const story = await Story.begin({ jobs });
  const { world } = story.simulator;
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  await story.merge(item, lane.path);
  const release = async (name: string) => {
    for (const { job } of world.heldJobs(story.repository))
      if (job.name === name) await world.releaseJob(job.id, "pass");
    await world.idle();
    await story.upkeep();
  };

  await release("lint");
  const waiting = await seen(story, item);
  expect(waiting.checks).toEqual({ of: "head", passed: 1, failed: 0, running: 1 });
  expect(waiting.row?.checks).toBe("checks of the pull request: 1 passed, 1 running");
  expect(waiting.text).toContain("checks of the pull request: 1 passed, 1 running");

  await release("ci");
  const queued = await seen(story, item);
  expect(queued).toMatchObject({
    position: 1,
    checks: { of: "group", passed: 0, failed: 0, running: 2 },
    row: { where: "in the queue, position 1", checks: "checks of the group: 2 running" },
  });
  const before = await story.context.landings.view(item);
  await release("lint");
  expect((await seen(story, item)).row?.checks).toBe("checks of the group: 1 passed, 1 running");
  // A check that ended is for readers; the landing was not woken for it.
  expect((await story.context.landings.view(item))?.version).toBe(before?.version);

  await story.finishChecks();
  await story.settle(item, "landed");
  expect((await seen(story, item)).row?.next).toContain(`\`yoke merge item ${item}\``);
  await story.merge(item, lane.path);
  expect((await seen(story, item)).row).toMatchObject({ where: "landed", next: null });
  expect(await story.ok("notices.list", { item })).toEqual({ notices: [] });
});
