/** Bad days of other people's queues, lived through once more (cases.md). */
import { describe, expect, it } from "vitest";
import { ACTIONS_APP_ID } from "../../src/simulator/world/options.js";
import type { DequeueReason } from "../../src/simulator/world/model.js";
import { Story, type Lane } from "./story.js";

interface Told {
  readonly kind: string;
  readonly reason: string | null;
  readonly body: string;
  readonly next: string | null;
}

async function told(story: Story, item: string): Promise<readonly Told[]> {
  const { notices } = await story.ok<{ notices: Told[] }>("notices.list", { item, all: true });
  return notices;
}

async function armed(story: Story, title: string): Promise<{ item: string; lane: Lane }> {
  const added = await story.lane(title);
  await story.qualify(added.item, added.lane);
  expect(await story.merge(added.item, added.lane.path)).toMatchObject({ ok: true, exit: 9 });
  return added;
}

/** The head's checks pass, and GitHub queues it; the group's checks are held. */
async function queued(story: Story): Promise<void> {
  const { world } = story.simulator;
  for (const { job } of world.heldJobs(story.repository)) await world.releaseJob(job.id, "pass");
  await world.idle();
}

describe("a landing whose webhooks are all lost", () => {
  it("case A02 case A03 lands by passes alone, and its holder is told once", async () => {
    const story = await Story.begin();
    const { item, lane } = await armed(story, "Sell tea");
    await story.finishChecks();
    await story.finishChecks();
    // GitHub merged it, and nobody said so.
    expect(await told(story, item)).toEqual([]);
    await story.settle(item, "landed");
    await story.upkeep();
    expect((await told(story, item)).map(({ kind }) => kind)).toEqual(["landed"]);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
  });
});

describe("a queue that others use too", () => {
  it("case A26 what GitHub refuses to arm stops nobody else, and says why", async () => {
    const story = await Story.begin();
    const good = await armed(story, "Sell tea");
    const other = await story.lane("Sell coffee");
    await story.qualify(other.item, other.lane);
    story.simulator.services.faults.add({
      match: { field: "enablePullRequestAutoMerge" },
      status: 422,
      body: { message: "Validation Failed: a review is missing" },
    });
    const refused = await story.merge(other.item, other.lane.path);
    expect(refused).toMatchObject({ ok: false, exit: 2 });
    expect(refused.ok ? "" : refused.refusals[0]?.message).toContain("a review is missing");
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(good.item, "landed");
  });

  it("case A40 what can never succeed is refused at once, in GitHub's own words, and not tried again", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    const { services } = story.simulator;
    services.faults.add({
      match: { field: "enablePullRequestAutoMerge" },
      status: 403,
      body: { message: "Resource not accessible by personal access token" },
    });
    const refused = await story.merge(item, lane.path);
    expect(refused).toMatchObject({ ok: false, refusals: [{ code: "github_access_refused" }] });
    expect(refused.ok ? "" : refused.refusals[0]?.message).toContain("Resource not accessible");
    const sent = services.log.list().filter(({ operation }) => operation === "EnableAutoMerge");
    expect(sent).toHaveLength(1);
  });

  it("case E15 the gate branch that somebody else moves at every step is no stop", async () => {
    const story = await Story.begin();
    const moved = async (step: number) => {
      story.byPeople.push(
        await story.simulator.world.commitFiles(story.repository, {
          branch: "main",
          files: { [`other-${step}.txt`]: `${step}\n` },
          message: `Another tool's landing ${step}`,
        }),
      );
      await story.upkeep();
    };
    const { item, lane } = await armed(story, "Sell tea");
    await moved(1);
    await queued(story);
    await moved(2);
    await story.finishChecks();
    await moved(3);
    await story.finishChecks();
    await story.settle(item, "landed");
    expect((await told(story, item)).map(({ kind }) => kind)).toEqual(["landed"]);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
  });
});

describe("a verdict that comes late", () => {
  it("case A22 between the last reading and the request is heard: nothing is queued, and the check is named", async () => {
    const story = await Story.begin();
    const { simulator, repository } = story;
    const { item, lane } = await armed(story, "Sell tea");
    await story.ok("github.merge_queue.hold", { item });
    await story.finishChecks();
    // Its checks passed, so the request is to queue it; while it is on the way, somebody reports a failure.
    const { faults } = simulator.services;
    const late = faults.add({ match: { operation: "Enqueue" }, hang: "before" });
    const asked = story.merge(item, lane.path);
    await faults.hanging(late);
    await simulator.world.createCheckRun(repository, {
      name: "ci",
      headSha: lane.head,
      appId: ACTIONS_APP_ID,
      status: "completed",
      conclusion: "failure",
    });
    faults.release(late);
    const refused = await asked;
    expect(refused).toMatchObject({ ok: false, refusals: [{ code: "arming_refused" }] });
    expect(refused.ok ? "" : refused.refusals[0]?.message).toContain('"ci" is failing');
    expect(simulator.world.queue(repository, "main")?.entries).toEqual([]);
    expect(simulator.world.pullRequest(repository, 1)).toMatchObject({ state: "OPEN" });
  });
});

describe("a fork that nobody here can write to", () => {
  it("case A28 is refused before anything is armed, and its pull request is left alone; the lane's own branch lands", async () => {
    const story = await Story.begin();
    const { simulator, repository } = story;
    const { world, services } = simulator;
    const fork = await world.forkRepository(repository, "stranger");
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    await Story.git(lane.path, "push", "-q", `${simulator.url}/stranger/shop.git`, lane.branch);
    await world.deleteBranch(repository, lane.branch);
    const more = { branch: lane.branch, files: { "more.txt": "more\n" }, message: "More of it" };
    const theirHead = await world.commitFiles(fork, more);
    const stranger = await world.createUser("stranger");
    const theirs = await world.createPullRequest(repository, {
      title: "Sell tea",
      head: lane.branch,
      headRepository: "stranger/shop",
      base: "main",
      maintainerCanModify: false,
      actor: stranger,
    });
    const refused = await story.merge(item, lane.path);
    expect(refused).toMatchObject({ ok: false, refusals: [{ code: "lane_head_unpushed" }] });
    expect(refused.ok ? "" : refused.refusals[0]?.message).toContain(
      `GitHub has no branch \`${lane.branch}\``,
    );
    const writes = services.log.list().filter(({ operation }) => operation === "EnableAutoMerge");
    expect(writes).toEqual([]);

    await Story.git(lane.path, "push", "-q", "origin", lane.branch);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
    expect(world.pullRequest(repository, theirs.number)).toMatchObject({ autoMerge: null });
    expect(await world.git(fork).branch(lane.branch)).toBe(theirHead);
  });
});

describe("a list that leaves a pull request out", () => {
  it("case E14 changes nothing for a landing: it is read by its own number and id, and lands", async () => {
    const story = await Story.begin();
    const { item, lane } = await armed(story, "Sell tea");
    const { faults, log } = story.simulator.services;
    const lists = faults.add({ match: { field: "pullRequests" }, status: 500, times: null });
    await story.ok("github.merge_queue.hold", { item });
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
    expect(lists.matched).toBe(0);
    faults.remove(lists.id);
    expect(log.list().map(({ operation }) => operation)).toContain("TargetByNumber");
    expect(story.simulator.world.pullRequests(story.repository)).toHaveLength(1);
  });
});

describe("leaving the queue", () => {
  /** GitHub's reason in the webhook, and the word of it in the timeline, which is what yoke reads. */
  const reasons: readonly (readonly [DequeueReason, string])[] = [
    ["MANUAL", "manual"],
    ["CI_FAILURE", "failed_checks"],
    ["CI_TIMEOUT", "checks_timed_out"],
    ["QUEUE_CLEARED", "queue_cleared"],
    ["ROLL_BACK", "roll_back"],
    ["BRANCH_PROTECTIONS", "branch_protections"],
    ["GIT_TREE_INVALID", "git_tree_invalid"],
  ];
  it.each(reasons)(
    "case A39 for %s is told once, with GitHub's word and the next step, however often it is seen",
    async (reason, word) => {
      const story = await Story.begin();
      const { item } = await armed(story, "Sell tea");
      await queued(story);
      const [pullRequest] = story.simulator.world.pullRequests(story.repository);
      await story.simulator.world.removeFromQueue(
        story.repository,
        pullRequest?.number ?? 0,
        reason,
      );
      await story.settle(item, "stopped");
      await story.context.landings.touch(story.project, [pullRequest?.number ?? 0]);
      await story.upkeep();
      const notices = await told(story, item);
      expect(notices).toHaveLength(1);
      const [notice] = notices;
      expect(notice?.kind).toBe("stopped");
      expect(notice?.body).toContain(`"${word}"`);
      expect(notice?.next).toContain(`yoke merge item ${item}`);
    },
  );
});
