import { describe, expect, it } from "vitest";
import type { JobScript } from "../../src/simulator/world/model.js";
import { Story, type Lane, type MergeOutput } from "./story.js";

interface Armed {
  readonly story: Story;
  readonly item: string;
  readonly lane: Lane;
}

const held: JobScript = { name: "ci", outcome: "hold", duration: 0 };

/** A landing that is armed and waits for the check of its head. */
async function armed(job: JobScript = held, concurrency?: { key: string }): Promise<Armed> {
  const story = await Story.begin();
  await story.simulator.world.setWorkflows(story.repository, [
    {
      name: "CI",
      path: ".github/workflows/ci.yml",
      on: ["pull_request", "merge_group", "workflow_dispatch"],
      ...(concurrency === undefined ? {} : { concurrency }),
      jobs: [job],
    },
  ]);
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  return { story, item, lane };
}

const runsOf = ({ story, lane }: Armed) =>
  story.simulator.world
    .workflowRuns(story.repository)
    .filter(({ headSha }) => headSha === lane.head);

async function cancel(at: Armed): Promise<void> {
  const { world } = at.story.simulator;
  const by = world.pullRequests(at.story.repository)[0]?.author;
  const [run] = runsOf(at);
  if (run === undefined || by === undefined) throw new Error("nothing runs");
  await world.cancelRun(at.story.repository, run.id, by);
  await world.idle();
}

/** The answer of the same command again: the checks of a pending landing. */
async function again({ story, item, lane }: Armed) {
  const answer = await story.merge(item, lane.path);
  return answer.ok ? ((answer.output as MergeOutput & { checks: unknown[] }).checks ?? []) : answer;
}

describe("required checks that were cancelled or never started", () => {
  it("A8.1 A8.5 cancelled by hand: one rerun on the armed pull request, and it lands when that passed on the candidate", async () => {
    const at = await armed();
    await cancel(at);
    const [answer] = (await again(at)) as { check: string; answer: string; why: string }[];
    expect(answer).toMatchObject({ check: "ci", answer: "rerun" });
    expect(answer?.why).toContain("by hand");
    // Accepted is not passed: the check is under way on the same commit, and nothing is in the queue.
    expect(runsOf(at)).toMatchObject([{ attempt: 2, conclusion: null }]);
    expect(await again(at)).toMatchObject([{ answer: "active" }]);
    expect(runsOf(at)).toMatchObject([{ attempt: 2 }]);
    const [pullRequest] = at.story.simulator.world.pullRequests(at.story.repository);
    const armings = pullRequest?.timeline.filter(({ type }) => type === "AutoMergeEnabledEvent");
    expect(armings).toHaveLength(1);

    await at.story.finishChecks();
    await at.story.settle(at.item, "landed");
    expect(await at.story.merge(at.item, at.lane.path)).toMatchObject({ ok: true, exit: 0 });
  });

  it("A8.2 A16.5 never started: cancelled before a runner took it, and rerun", async () => {
    const at = await armed({ ...held, outcome: "never" });
    expect(await again(at)).toMatchObject([{ answer: "enqueued" }]);
    await cancel(at);
    expect(await again(at)).toMatchObject([{ answer: "rerun" }]);
    expect(runsOf(at)).toMatchObject([{ attempt: 2 }]);
  });

  it("A8.4 A8.5 after three cancelled attempts a person starts a fresh one, whose check is proved on the candidate", async () => {
    const at = await armed();
    await cancel(at);
    expect(await again(at)).toMatchObject([{ answer: "rerun" }]);
    await cancel(at);
    expect(await again(at)).toMatchObject([{ answer: "rerun" }]);
    await cancel(at);
    const refused = {
      ok: false,
      exit: 2,
      refusals: [{ code: "cancelled_attempts_exhausted" }],
    };
    expect(await again(at)).toMatchObject(refused);
    expect(runsOf(at)).toMatchObject([{ attempt: 3, conclusion: "cancelled" }]);

    const { world } = at.story.simulator;
    const by = world.pullRequests(at.story.repository)[0]?.author;
    if (by === undefined) throw new Error("no pull request");
    await world.dispatchWorkflow(at.story.repository, {
      workflow: "ci.yml",
      ref: at.lane.branch,
      actor: by,
    });
    expect(await again(at)).toMatchObject([{ answer: "active" }]);
    await at.story.finishChecks();
    await at.story.settle(at.item, "landed");
    expect(await at.story.merge(at.item, at.lane.path)).toMatchObject({ ok: true, exit: 0 });
  });

  it("A16.5 at the job's own time limit: rerun once, and not when the repeat ended there too", async () => {
    const message =
      "The job running on runner GitHub Actions 3 has exceeded the maximum execution time of 360 minutes.";
    const annotations = [{ level: "failure" as const, message, path: ".github", line: 1 }];
    const at = await armed({ name: "ci", outcome: "cancel", duration: 0, annotations });
    await at.story.simulator.world.idle();
    const [answer] = (await again(at)) as { answer: string; why: string }[];
    expect(answer).toMatchObject({ answer: "rerun" });
    expect(answer?.why).toContain("at its own time limit");
    await at.story.simulator.world.idle();
    expect(await again(at)).toMatchObject({
      ok: false,
      refusals: [{ code: "job_time_limit_repeated" }],
    });
    expect(runsOf(at)).toMatchObject([{ attempt: 2 }]);
  });

  it("A16.5 case A15 case A17 runs of other heads in one concurrency group: rerun, with what took the place", async () => {
    const at = await armed(held, { key: "ci" });
    const other = await at.story.lane("Sell coffee");
    await at.story.qualify(other.item, other.lane);
    await at.story.merge(other.item, other.lane.path);
    await at.story.simulator.world.idle();
    expect(runsOf(at)).toMatchObject([{ conclusion: "cancelled" }]);
    const [answer] = (await again(at)) as { answer: string; why: string }[];
    expect(answer).toMatchObject({ answer: "rerun" });
    expect(answer?.why).toContain("another run of the same concurrency group");
  });

  it("A8.2 A16.5 superseded by a newer run of its workflow at the same head: that one is left to run", async () => {
    const at = await armed(held, { key: "ci" });
    const { world } = at.story.simulator;
    const by = world.pullRequests(at.story.repository)[0]?.author;
    if (by === undefined) throw new Error("no pull request");
    const { branch } = at.lane;
    await world.dispatchWorkflow(at.story.repository, {
      workflow: "ci.yml",
      ref: branch,
      actor: by,
    });
    expect(runsOf(at).map(({ conclusion }) => conclusion)).toEqual([null, "cancelled"]);
    expect(await again(at)).toMatchObject([{ answer: "active" }]);
    expect(runsOf(at).map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});
