import { describe, expect, it } from "vitest";
import { listReservations, reserve } from "../../db/reservations.js";
import type { FaultScript } from "../../src/simulator/wire/faults.js";
import { Story, type Lane } from "./story.js";

const project = { deleteRemoteBranches: true };

/** A landing that GitHub has merged, before its close-out. */
async function merged(story: Story): Promise<{ item: string; lane: Lane }> {
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.finishChecks();
  await story.settle(item, "landed");
  return { item, lane };
}

const onGitHub = (story: Story, { branch }: Lane) =>
  story.simulator.world.git(story.repository).branch(branch);

async function reservation(story: Story, item: string): Promise<string[]> {
  const all = await listReservations(story.context.db, { item });
  return all.filter(({ kind }) => kind === "delete_branch").map(({ state }) => state);
}

/** The close-out with what became of the branch; the verdict is the same in every case. */
async function closedOut(story: Story, item: string, lane: Lane, deleted: boolean) {
  const landed = await story.merge(item, lane.path);
  expect(landed).toMatchObject({
    ok: true,
    exit: 0,
    output: { outcome: "landed", lane: { removed: true }, remoteBranch: { deleted } },
  });
  return JSON.stringify(landed);
}

const push = { kind: "git", route: "git-receive-pack" } as const;

describe("a lane's branch on GitHub", () => {
  it("A16.6 stays by default, and GitHub is asked nothing about it", async () => {
    const story = await Story.begin();
    const { item, lane } = await merged(story);
    expect(await story.merge(item, lane.path)).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", remoteBranch: null },
    });
    expect(await onGitHub(story, lane)).toBe(lane.head);
    expect(await reservation(story, item)).toEqual([]);
  });

  it("A16.6 case A43 goes after the landing is proved, not before", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    expect(await onGitHub(story, lane)).toBe(lane.head);
    await closedOut(story, item, lane, true);
    expect(await onGitHub(story, lane)).toBeNull();
    expect(await reservation(story, item)).toEqual(["completed"]);
    // Entered again: nothing is left to do.
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
  });

  it("A16.6 case A34 stays when the landing is not proved", async () => {
    const story = await Story.begin({ project });
    await story.simulator.world.writeWrongTree(story.repository);
    const { item, lane } = await merged(story);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: false });
    expect(await onGitHub(story, lane)).toBe(lane.head);
    expect(await reservation(story, item)).toEqual([]);
  });

  it("A16.6 stays when it moved", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    const { world } = story.simulator;
    const main = (await world.git(story.repository).branch("main")) ?? "";
    await Story.git(`${story.home}/clone`, "fetch", "-q", "origin");
    await Story.git(
      `${story.home}/clone`,
      "push",
      "-q",
      "origin",
      `${main}:refs/heads/${lane.branch}`,
    );
    expect(await closedOut(story, item, lane, false)).toContain(main);
    expect(await onGitHub(story, lane)).toBe(main);
    expect(await reservation(story, item)).toEqual(["released"]);
  });

  it("A16.6 case A23 stays while an open pull request has it as its base", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    const upper = await story.lane("Sell more tea");
    const { world } = story.simulator;
    const [actor] = world.pullRequests(story.repository).map(({ author }) => author);
    if (actor === undefined) throw new Error("nobody opened a pull request");
    const stacked = await world.createPullRequest(story.repository, {
      title: "On top",
      head: upper.lane.branch,
      base: lane.branch,
      actor,
    });
    expect(await closedOut(story, item, lane, false)).toContain(`#${stacked.number}`);
    expect(await onGitHub(story, lane)).toBe(lane.head);
    expect(
      world.pullRequests(story.repository).find(({ number }) => number === stacked.number)?.state,
    ).toBe("OPEN");
  });

  it("A16.6 case A30 stays when the lane's remote is not the project's repository", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    const clone = `${story.home}/clone`;
    const fork = `${story.simulator.url}/robin/shop.git`;
    await Story.git(clone, "remote", "set-url", "--push", "origin", fork);
    expect(await closedOut(story, item, lane, false)).toContain(fork);
    expect(await onGitHub(story, lane)).toBe(lane.head);
  });

  it.each<readonly [string, FaultScript, boolean]>([
    ["is refused", { match: push, status: 403, times: null }, false],
    ["never arrives", { match: push, cut: "before", times: null }, false],
    ["has its effect and its reply is lost", { match: push, cut: "after", times: 1 }, true],
  ])(
    "A16.6 cases A24 A44 a request that %s never changes the verdict",
    async (_title, fault, gone) => {
      const story = await Story.begin({ project });
      const { item, lane } = await merged(story);
      story.simulator.services.faults.add({ ...fault, match: { ...push, method: "POST" } });
      await closedOut(story, item, lane, gone);
      expect(await onGitHub(story, lane)).toBe(gone ? null : lane.head);
      expect(await reservation(story, item)).toEqual([gone ? "completed" : "released"]);
    },
  );

  it("A16.6 a lost reply that GitHub cannot be asked about is uncertain, and still no failed landing", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    const { faults } = story.simulator.services;
    faults.add({ match: { ...push, method: "POST" }, cut: "after" });
    faults.add({ match: { operation: "BranchUse" }, nth: 2, status: 502 });
    await closedOut(story, item, lane, false);
    expect(await onGitHub(story, lane)).toBeNull();
    expect(await reservation(story, item)).toEqual(["uncertain"]);
  });

  it.each([
    ["before it sent anything", false],
    ["after the branch was gone", true],
  ])("A16.6 a worker that died %s is taken up from what GitHub shows", async (_title, gone) => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    const key = `delete-branch:${item}:${lane.head}`;
    const of = { key, item, kind: "delete_branch", detail: "by a worker that died" };
    await reserve(story.context.db, { ...of, at: new Date().toISOString() });
    if (gone) await Story.git(lane.path, "push", "-q", "origin", `:${lane.branch}`);
    await closedOut(story, item, lane, true);
    expect(await onGitHub(story, lane)).toBeNull();
    expect(await reservation(story, item)).toEqual(["completed"]);
  });

  it("A16.6 a reading that fails leaves the branch, and the item has landed", async () => {
    const story = await Story.begin({ project });
    const { item, lane } = await merged(story);
    story.simulator.services.faults.add({
      match: { operation: "BranchUse" },
      status: 502,
      times: null,
    });
    await closedOut(story, item, lane, false);
    expect(await onGitHub(story, lane)).toBe(lane.head);
  });
});
