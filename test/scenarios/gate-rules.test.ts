import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Outcome } from "../../src/functions/define.js";
import { createGit } from "../../src/git/index.js";
import { Story } from "./story.js";

let story: Story;
let checkout: string;

beforeEach(async () => {
  story = await Story.begin();
  checkout = join(story.home, "clone");
});

const queue = {
  merge_method: "MERGE",
  grouping_strategy: "ALLGREEN",
  check_response_timeout_minutes: 60,
  max_entries_to_build: 5,
  max_entries_to_merge: 5,
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 5,
};
const rules = { queue, required_checks: [{ context: "ci" }], strict: false };

async function declare(folder: string, value: unknown): Promise<void> {
  await mkdir(join(folder, ".yoke"), { recursive: true });
  await writeFile(join(folder, ".yoke/merge-queue.json"), JSON.stringify(value, null, 2));
  await Story.git(folder, "add", "-A");
  await Story.git(folder, "commit", "-qm", "The rules of the gate branch");
}

/** A person who may commits to the gate branch directly: here the world has nobody who protects it from that. */
async function declareOnGate(value: unknown): Promise<void> {
  await Story.git(checkout, "pull", "-q", "--ff-only");
  await declare(checkout, value);
  await Story.git(checkout, "push", "-q", "origin", "main");
  story.byPeople.push(await Story.git(checkout, "rev-parse", "HEAD"));
}

const apply = async (more: Record<string, unknown> = {}): Promise<Outcome> =>
  story.ask("github.merge_queue.apply", {
    project: story.project,
    checkout: await createGit()
      .readLane(checkout)
      .then(({ path, branch, head, dirty }) => ({ path, branch, head, dirty })),
    ...more,
  });

const codes = (outcome: Outcome) => (outcome.ok ? [] : outcome.refusals.map(({ code }) => code));
const refused = (outcome: Outcome) => (outcome.ok ? null : outcome.refusals[0]);
const rulesets = () =>
  story.repository.rulesets.map(({ name, requiredStatusChecks }) => [
    name,
    requiredStatusChecks?.checks.map(({ context }) => context) ?? [],
  ]);

it("A2.2 a stale lane is refused with both values, updates from the gate branch, and lands", async () => {
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  await declareOnGate(rules);

  const stale = await story.merge(item, lane.path);
  expect(codes(stale)).toEqual(["lane_declaration_stale"]);
  expect(refused(stale)?.next).toContain("Update the lane from `main`");
  expect(story.simulator.world.pullRequest(story.repository, 1)).toBeNull();

  await Story.git(lane.path, "fetch", "-q");
  await Story.git(lane.path, "rebase", "-q", "origin/main");
  await Story.git(lane.path, "push", "-qf", "origin", lane.branch);
  const updated = await story.read(lane.path);
  await story.qualify(item, updated);
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
  await story.finishChecks();
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
});

it("A2.2 A2.4 rules that the gate branch declares anew are applied from its checkout, and only there", async () => {
  await declareOnGate({ ...rules, required_checks: [{ context: "ci" }, { context: "lint" }] });
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  const differs = await story.merge(item, lane.path);
  expect(codes(differs)).toEqual(["gate_rules_differ"]);
  expect(refused(differs)?.message).toContain(
    "required_checks.lint: declared required, live not required",
  );
  expect(refused(differs)?.next).toContain("yoke github merge-queue apply --project");

  expect(await story.ok("github.merge_queue.diff", { project: story.project })).toMatchObject({
    equal: false,
    differences: [{ rule: "required_checks.lint" }],
  });
  expect(await apply({ dryRun: true })).toMatchObject({
    ok: true,
    output: { action: "create", applied: false, ruleset: "yoke: main" },
  });
  expect(rulesets()).toEqual([["main", ["ci"]]]);

  expect(await apply()).toMatchObject({ ok: true, output: { action: "create", applied: true } });
  expect(rulesets()).toEqual([
    ["main", ["ci"]],
    ["yoke: main", ["ci", "lint"]],
  ]);
  expect(await apply()).toMatchObject({ ok: true, output: { action: "none", applied: false } });
  expect(await story.ask("github.merge_queue.diff", { project: story.project })).toMatchObject({
    ok: true,
    exit: 0,
    output: { equal: true },
  });
  expect(await story.merge(item, lane.path, { dryRun: true })).toMatchObject({ ok: true });
});

it("A2.4 a checkout that is elsewhere, dirty or outdated is refused with every reason, and nothing is written", async () => {
  await declareOnGate({ ...rules, strict: true });
  await Story.git(checkout, "checkout", "-q", "-b", "elsewhere", "HEAD~1");
  await writeFile(join(checkout, "notes.txt"), "mine\n");
  expect(codes(await apply())).toEqual([
    "gate_checkout_elsewhere",
    "gate_checkout_dirty",
    "gate_checkout_outdated",
  ]);
  await Story.git(checkout, "clean", "-qf");
  await Story.git(checkout, "checkout", "-q", "main");
  await Story.git(checkout, "reset", "-q", "--hard", "HEAD~1");
  expect(codes(await apply())).toEqual(["gate_checkout_outdated"]);
  expect(rulesets()).toEqual([["main", ["ci"]]]);
  await Story.git(checkout, "pull", "-q", "--ff-only");
  expect(await apply()).toMatchObject({ ok: true, output: { applied: true } });
});

it("A2.4 rules of another ruleset are left alone and named", async () => {
  await declareOnGate({ ...rules, required_checks: [{ context: "lint" }] });
  const outcome = await apply();
  expect(codes(outcome)).toEqual(["gate_rules_elsewhere"]);
  expect(refused(outcome)?.message).toContain(
    'the ruleset "main" of acme/shop requires ci, which is not declared',
  );
  expect(rulesets()).toEqual([["main", ["ci"]]]);
});

it("A2.1 A2.3 a lane with wrong keys, and a gate branch with them, are named; nothing is armed", async () => {
  const { item, lane } = await story.lane("Sell tea");
  await declare(lane.path, { ...rules, queue: { ...queue, max_entries_to_build: "many" } });
  await Story.git(lane.path, "push", "-q", "origin", lane.branch);
  const wrong = await story.read(lane.path);
  await story.qualify(item, wrong);
  const invalid = await story.merge(item, lane.path);
  expect(codes(invalid)).toEqual(["merge_queue_declaration_invalid"]);
  expect(refused(invalid)?.message).toContain('`queue.max_entries_to_build` is "many"');

  await declare(lane.path, { ...rules, strict: true });
  await Story.git(lane.path, "push", "-q", "origin", lane.branch);
  await story.qualify(item, await story.read(lane.path));
  await declareOnGate({ ...rules, strict: "perhaps" });
  const unverified = await story.merge(item, lane.path);
  expect(codes(unverified)).toEqual(["gate_declaration_unverified"]);
  expect(refused(unverified)?.message).toContain('`strict` is "perhaps"');
  expect(refused(unverified)?.next).toContain("Never apply from the lane");
  expect(codes(await apply())).toEqual(["merge_queue_declaration_invalid"]);
});

it("A2.3 rules that are hidden stand against a lane that declares some, and not against one that declares none", async () => {
  const { faults } = story.simulator.services;
  const hide = () =>
    faults.add({
      match: { operation: "TargetByBranch" },
      errors: [
        { path: ["repository", "gate", "rules"], type: "FORBIDDEN", message: "not for you" },
      ],
    });
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  hide();
  expect(await story.merge(item, lane.path, { dryRun: true })).toMatchObject({ ok: true });

  await declare(lane.path, rules);
  await Story.git(lane.path, "push", "-q", "origin", lane.branch);
  await story.qualify(item, await story.read(lane.path));
  hide();
  expect(codes(await story.merge(item, lane.path))).toEqual(["gate_declaration_unverified"]);
  // Equal to what is live: the lane that brings the first declaration passes.
  expect(await story.merge(item, lane.path, { dryRun: true })).toMatchObject({ ok: true });
});

it("A12.2 a queue that GitHub does not speak of is never merged past", async () => {
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  story.simulator.services.faults.add({
    match: { operation: "TargetByBranch" },
    errors: [{ path: ["repository", "mergeQueue"], type: "FORBIDDEN", message: "not for you" }],
  });
  const outcome = await story.merge(item, lane.path);
  expect(codes(outcome)).toEqual(["merge_queue_probe_failed"]);
  expect(refused(outcome)?.message).toContain("not for you");
  expect(story.simulator.world.pullRequest(story.repository, 1)).toBeNull();
  expect(await story.merge(item, lane.path, { dryRun: true })).toMatchObject({ ok: true });
});

it.each([
  ["before", { cut: "before" }, "gate_rules_unconfirmed", 1],
  ["after", { cut: "after" }, null, 2],
  [
    "refused",
    { errors: [{ path: ["createRepositoryRuleset"], type: "FORBIDDEN" }] },
    "github_access_refused",
    1,
  ],
] as const)(
  "A2.4 a write whose reply is lost or refused (%s the effect) is settled by a reading",
  async (_when, fault, code, count) => {
    await declareOnGate({ ...rules, strict: true });
    story.simulator.services.faults.add({ match: { operation: "CreateRuleset" }, ...fault });
    expect(codes(await apply())).toEqual(code === null ? [] : [code]);
    expect(rulesets()).toHaveLength(count);
    expect(await apply()).toMatchObject({ ok: true });
    expect(rulesets()).toHaveLength(2);
  },
);

it("A2.4 applied from two terminals at once, the rules are written once and both see them", async () => {
  await declareOnGate({ ...rules, strict: true });
  const outcomes = await Promise.all([apply(), apply()]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
  expect(rulesets()).toHaveLength(2);
});
