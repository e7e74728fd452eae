/** What a person who asks at night is told of every way in which a landing stops (A16.4, A6.1). */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explanation, type Explained } from "../../src/cli/verbs/read.js";
import type { StopReason } from "../../src/core/landing/model.js";
import type { User } from "../../src/simulator/world/model.js";
import { Story, type Lane, type StoryOptions } from "./story.js";
import { commitOnGate, storyWithoutQueue } from "./without-queue.js";

interface Armed {
  readonly story: Story;
  readonly item: string;
  readonly lane: Lane;
}

async function arm(story: Story, title: string, file?: string): Promise<Armed> {
  const added = await story.lane(title, file);
  await story.holder(added.item);
  await story.qualify(added.item, added.lane);
  expect(await story.merge(added.item, added.lane.path)).toMatchObject({ ok: true, exit: 9 });
  return { story, ...added };
}

const armed = async (options: StoryOptions = {}) => arm(await Story.begin(options), "Sell tea");
const armedDirectly = async () => arm(await storyWithoutQueue(), "Sell tea");

/** The checks of its head pass, and it is in the queue. */
async function queue({ story, lane }: Armed): Promise<void> {
  const { world } = story.simulator;
  const held = world.heldJobs(story.repository).filter(({ run }) => run.headSha === lane.head);
  for (const { job } of held) await world.releaseJob(job.id, "pass");
  await world.idle();
}

/** Two items that change one file: the second waits behind the first. */
async function behind(): Promise<{ first: Armed; second: Armed }> {
  const story = await Story.begin();
  const first = await arm(story, "Plant tea", "README.md");
  await queue(first);
  const second = await arm(story, "Sell tea", "README.md");
  await queue(second);
  await story.settle(second.item, "waiting_reentry");
  return { first, second };
}

const robinOf = ({ story }: Armed): User => {
  const [robin] = story.simulator.world.users();
  if (robin === undefined) throw new Error("nobody is there");
  return robin;
};

/** How each stop comes about, and what of it the explanation must show. */
const stops: Readonly<
  Record<StopReason, { readonly shows: RegExp; readonly reach: () => Promise<Armed> }>
> = {
  left_the_queue: {
    shows: /"manual"/,
    reach: async () => {
      const at = await armed();
      await queue(at);
      await at.story.simulator.world.removeFromQueue(at.story.repository, 1, "MANUAL");
      return at;
    },
  },
  checks_failed: {
    shows: /ci: FAILURE \(on the merge group\)/,
    reach: async () => {
      const at = await armed();
      await queue(at);
      await at.story.finishChecks("fail");
      return at;
    },
  },
  conflicts_with_base: {
    shows: /`main`/,
    reach: async () => {
      const { first, second } = await behind();
      await first.story.finishChecks();
      await first.story.settle(first.item, "landed");
      return second;
    },
  },
  closed_unmerged: {
    shows: /closed/,
    reach: async () => {
      const at = await armed();
      await at.story.simulator.world.closePullRequest(at.story.repository, 1, robinOf(at));
      return at;
    },
  },
  head_changed: {
    shows: /[0-9a-f]{40}.*[0-9a-f]{40}/,
    reach: async () => {
      const at = await armed();
      const { path, branch } = at.lane;
      await appendFile(join(path, "more.txt"), "more\n");
      await Story.git(path, "add", "-A");
      await Story.git(path, "commit", "-qm", "More");
      await Story.git(path, "push", "-q", "origin", branch);
      return at;
    },
  },
  head_branch_deleted: {
    shows: /`lane\//,
    reach: async () => {
      const at = await armed();
      await at.story.simulator.world.deleteBranch(at.story.repository, at.lane.branch);
      return at;
    },
  },
  base_branch_gone: {
    shows: /`release`/,
    reach: async () => {
      const at = await armed();
      const { world } = at.story.simulator;
      await world.createBranch(at.story.repository, { name: "release" });
      const edit = { base: "release", actor: robinOf(at) };
      await world.editPullRequest(at.story.repository, 1, edit);
      return at;
    },
  },
  never_enqueued: {
    shows: /It refused with: .*The merge queue is not accepting entries/,
    reach: async () => {
      const at = await armed({ clock: "stepped" });
      const { world, services } = at.story.simulator;
      // A requirement that goes away fires nothing: armed and ready, and GitHub queues it by no means.
      await world.setRuleset(at.story.repository, { name: "main", mergeQueue: {} });
      services.faults.add({
        match: { operation: "Enqueue" },
        status: 422,
        body: { message: "The merge queue is not accepting entries" },
      });
      for (let wait = 0; wait < 2; wait += 1) {
        await at.story.settle(at.item, "pending");
        await world.advance(91_000);
        await at.story.upkeep();
      }
      return at;
    },
  },
  queue_conflict_unresolved: {
    shows: /Resource not accessible/,
    reach: async () => {
      const { first, second } = await behind();
      const { world, services } = first.story.simulator;
      // Without an entry of its own GitHub cannot try it again by itself.
      await world.removeFromQueue(first.story.repository, 2, "MERGE_CONFLICT");
      services.faults.add({
        match: { operation: "Enqueue" },
        status: 403,
        body: { message: "Resource not accessible by personal access token" },
      });
      await first.story.ok("github.merge_queue.hold", { item: first.item });
      return second;
    },
  },
  MergeTargetStale: {
    shows: /`main` moved/,
    reach: async () => {
      const at = await armedDirectly();
      await commitOnGate(at.story, "other.txt", "somebody else's\n");
      await at.story.finishChecks();
      return at;
    },
  },
  gate_has_queue: {
    shows: /merge queue now/,
    reach: async () => {
      const at = await armedDirectly();
      await at.story.simulator.world.setRuleset(at.story.repository, {
        name: "main",
        mergeQueue: {},
      });
      await at.story.finishChecks();
      return at;
    },
  },
  merge_refused: {
    shows: /Merging is blocked/,
    reach: async () => {
      const at = await armedDirectly();
      at.story.simulator.services.faults.add({
        match: { operation: "MergePullRequest" },
        status: 405,
        body: { message: "Merging is blocked by a custom rule" },
        times: 4,
      });
      await at.story.finishChecks();
      return at;
    },
  },
};

const reasons = Object.keys(stops) as StopReason[];

it.each(reasons)(
  "A16.4 A6.1 %s is explained: what was seen, and the command that comes next, as the notice has it",
  async (reason) => {
    const { shows, reach } = stops[reason];
    const { story, item } = await reach();
    await story.settle(item, "stopped");
    const explained = await story.ok<Explained & { reasons: { code: string }[] }>("explain.item", {
      item,
    });
    const printed = explanation(explained);
    expect(explained.reasons[0]?.code).toBe(reason);
    expect(printed).toMatch(shows);
    expect(explained.reasons[0]?.next).toContain(`\`yoke merge item ${item}\``);
    const { notices } = await story.ok<{ notices: { reason: string; body: string }[] }>(
      "notices.list",
      { item, all: true },
    );
    const told = notices.filter((one) => one.reason === reason);
    expect(told.map(({ body }) => body)).toEqual([explained.reasons[0]?.text]);
  },
);
