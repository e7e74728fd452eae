import { beforeEach, expect, it } from "vitest";
import type { Outcome } from "../../src/functions/define.js";
import { Story, type Lane } from "./story.js";

let story: Story;
let item: string;
let lane: Lane;

beforeEach(async () => {
  story = await Story.begin();
  ({ item, lane } = await story.lane("Sell tea"));
  await story.qualify(item, lane);
});

const reason = "the release is being cut";
const freeze = (more: Record<string, unknown> = {}) =>
  story.ok("project.freeze", { project: story.project, reason, ...more });
const unfreeze = () => story.ok("project.unfreeze", { project: story.project });
const codes = (outcome: Outcome) => (outcome.ok ? [] : outcome.refusals.map(({ code }) => code));
const onGitHub = () => story.simulator.world.pullRequest(story.repository, 1);

async function landsAndIsClosedOut(): Promise<void> {
  await story.finishChecks();
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
}

it("A16.3 a frozen project arms nothing; the reason is in the refusal, on the board and in the explanation", async () => {
  await freeze();
  const refused = await story.merge(item, lane.path);
  expect(codes(refused)).toEqual(["project_frozen"]);
  expect(refused.ok ? "" : refused.refusals[0]?.message).toContain(reason);
  expect(codes(await story.merge(item, lane.path, { dryRun: true }))).toEqual(["project_frozen"]);
  expect(onGitHub()).toBeNull();
  expect(await story.ok("status.board", { project: story.project })).toMatchObject({
    projects: [{ freeze: { reason, until: null, drain: false } }],
  });
  const { reasons } = await story.ok<{ reasons: { code: string; text: string }[] }>(
    "explain.item",
    { item },
  );
  expect(reasons).toContainEqual(
    expect.objectContaining({
      code: "project_frozen",
      text: `${story.project} is frozen: ${reason}`,
    }),
  );
  await unfreeze();
  expect(codes(await story.ask("project.unfreeze", { project: story.project }))).toEqual([
    "project_not_frozen",
  ]);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await landsAndIsClosedOut();
});

it("A16.3 what is armed is let go without a notice, and armed again when the freeze ends", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await expect.poll(() => onGitHub()?.autoMerge ?? null, { timeout: 20_000 }).not.toBeNull();
  await freeze();
  await story.settle(item, "held");
  expect(onGitHub()?.autoMerge).toBeNull();
  expect(codes(await story.merge(item, lane.path))).toEqual(["project_frozen"]);
  await story.finishChecks();
  expect(onGitHub()?.state).toBe("OPEN");

  await unfreeze();
  await story.settle(item, "pending");
  expect(await story.ok("notices.list", { item, all: true })).toEqual({ notices: [] });
  await landsAndIsClosedOut();
});

it("A16.3 --drain lets what is armed land, and arms nothing new", async () => {
  const other = await story.lane("Sell cups");
  await story.qualify(other.item, other.lane);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await freeze({ drain: true });
  expect(codes(await story.merge(other.item, other.lane.path))).toEqual(["project_frozen"]);
  await landsAndIsClosedOut();
});

it("A16.3 --until ends it by itself: upkeep arms again what it let go", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  const past = { project: story.project, reason, until: story.context.now() };
  expect(codes(await story.ask("project.freeze", past))).toEqual(["input_invalid"]);
  await freeze({ until: new Date(Date.now() + 3_000).toISOString() });
  await story.settle(item, "held");
  await story.settle(item, "pending");
  // The state is stored before its effects: GitHub is asked a moment later.
  await expect.poll(() => onGitHub()?.autoMerge ?? null, { timeout: 20_000 }).not.toBeNull();
  await landsAndIsClosedOut();
});

it("A16.3 A6.2 a person's hold is not taken back by the end of a freeze", async () => {
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.ok("github.merge_queue.hold", { item });
  await freeze();
  await unfreeze();
  await story.upkeep();
  expect((await story.context.landings.view(item))?.state.phase).toBe("held");
  expect(onGitHub()?.autoMerge).toBeNull();
});
