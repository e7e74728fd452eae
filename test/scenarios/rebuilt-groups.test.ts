/** Groups that GitHub takes down and builds again, as other people's queues lived through it (cases.md). */
import { expect, it } from "vitest";
import type { LandingViewOutput } from "../../src/functions/landing-view.js";
import type { JobScript } from "../../src/simulator/world/model.js";
import { Story, type Lane } from "./story.js";

interface Told {
  readonly kind: string;
  readonly body: string;
  readonly next: string | null;
}

let story: Story;

async function begin(...jobs: JobScript[]): Promise<void> {
  story = await Story.begin({ jobs });
}

const held = (name: string): JobScript => ({ name, outcome: "hold", duration: 0 });

/** Armed, and in the queue: its head passed. */
async function queued(title: string): Promise<{ item: string; lane: Lane }> {
  const added = await story.lane(title);
  await story.qualify(added.item, added.lane);
  expect(await story.merge(added.item, added.lane.path)).toMatchObject({ ok: true, exit: 9 });
  await release(added.lane.head);
  await story.upkeep();
  return added;
}

/** Ends the held jobs of one commit. */
async function release(
  commit: string,
  how: "pass" | "fail" = "pass",
  named: RegExp = /./,
): Promise<void> {
  const { world } = story.simulator;
  for (const { job, run } of world.heldJobs(story.repository)) {
    if (run.headSha === commit && named.test(job.name)) await world.releaseJob(job.id, how);
  }
  await world.idle();
}

/** The group commit of the entry at `position`. */
function group(position: number): string {
  const { entries } = story.simulator.world.queue(story.repository, "main") ?? { entries: [] };
  return entries[position - 1]?.group?.headSha ?? "no group";
}

async function seen(item: string): Promise<LandingViewOutput | null> {
  await story.upkeep();
  const { landing } = await story.ok<{ landing: LandingViewOutput | null }>(
    "merge_queue.landing.observe",
    { item },
  );
  return landing;
}

async function told(item: string): Promise<readonly Told[]> {
  const { notices } = await story.ok<{ notices: Told[] }>("notices.list", { item, all: true });
  return notices;
}

async function moveBase(text: string): Promise<void> {
  const commit = await story.simulator.world.commitFiles(story.repository, {
    branch: "main",
    files: { "base.txt": `${text}\n` },
    message: "A person's own commit",
  });
  story.byPeople.push(commit);
  await story.simulator.world.idle();
}

it("case A19 what the runs of a group that was taken down report afterwards changes nothing", async () => {
  await begin(held("ci"));
  const first = await queued("Sell tea");
  const second = await queued("Sell coffee");
  const dead = group(2);
  await release(group(1), "fail");
  await story.settle(first.item, "stopped");
  const alive = group(1);
  expect(alive).not.toBe(dead);

  // GitHub leaves the runs of the dead group alive; now they fail.
  await release(dead, "fail");
  expect(await seen(second.item)).toMatchObject({
    phase: "pending",
    position: 1,
    checks: { of: "group", passed: 0, failed: 0, running: 1 },
  });
  await release(alive);
  await story.settle(second.item, "landed");
  expect((await told(second.item)).map(({ kind }) => kind)).toEqual(["landed"]);
  expect(await story.merge(second.item, second.lane.path)).toMatchObject({ ok: true, exit: 0 });
});

it("case A41 what was green for an old base is not shown as green, and lands nothing, once the base moved", async () => {
  await begin(held("ci"), held("lint"));
  const checks = ["ci", "lint"].map((context) => ({ context, integrationId: null }));
  await story.simulator.world.setRuleset(story.repository, {
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks },
  });
  const { item, lane } = await queued("Sell tea");
  await release(group(1), "pass", /ci/);
  expect(await seen(item)).toMatchObject({ checks: { of: "group", passed: 1, running: 1 } });
  const old = group(1);
  await moveBase("moved");
  expect(group(1)).not.toBe(old);
  expect(await seen(item)).toMatchObject({
    phase: "pending",
    checks: { of: "group", passed: 0, failed: 0, running: 2 },
  });
  await release(old);
  expect(await seen(item)).toMatchObject({ phase: "pending", checks: { passed: 0, running: 2 } });
  await release(group(1));
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
});

it("case A36 checks that no runner takes are told apart from those that run, and named when the queue gives up", async () => {
  await begin({ ...held("ci"), onMergeGroup: "never" }, held("lint"));
  const { item } = await queued("Sell tea");
  for (const text of ["one", "two"]) {
    await moveBase(text);
    expect(await seen(item)).toMatchObject({
      phase: "pending",
      checks: { of: "group", passed: 0, failed: 0, running: 2, notStarted: 1 },
    });
  }
  const { reasons } = await story.ok<{ reasons: { text: string }[] }>("explain.item", { item });
  expect(reasons[0]?.text).toContain("checks of the group: 1 running, 1 not started");

  await story.simulator.world.removeFromQueue(story.repository, 1, "CI_TIMEOUT");
  await story.settle(item, "stopped");
  const [stopped, ...more] = await told(item);
  expect(more).toEqual([]);
  expect(stopped?.body).toContain('"checks_timed_out"');
  expect(stopped?.body).toContain("No runner had taken these required checks of its group: ci.");
  expect(stopped?.next).toContain("see that one is free");
});
