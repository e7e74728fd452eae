import { describe, expect, it } from "vitest";
import { readiness, type ReadinessInput } from "../../../src/core/gate/readiness.js";
import { declared, gate, queue, ruleset } from "./declared.js";

const seen = {
  builtAt: "2026-03-01T12:00:00Z",
  leftAt: "2026-03-01T13:00:00Z",
  reported: [{ context: "ci", app: 1 }],
};
const ready: ReadinessInput = {
  project: "YOK",
  gateBranch: "main",
  gate: gate(),
  queueEnabled: true,
  autoMergeAllowed: true,
  groups: [seen],
};

function line(name: string, changes: Partial<ReadinessInput>) {
  return readiness({ ...ready, ...changes }).find((one) => one.name === name);
}

const live = (...rulesets: ReturnType<typeof ruleset>[]) => ({
  gate: gate({ live: { read: "rules", rulesets } }),
});
const hidden = { gate: gate({ live: { read: "unreadable", why: "not for you" } }) };

describe("whether a gate branch is ready", () => {
  it("A2.4 a branch where nothing is in the way is ready in every line", () => {
    expect(readiness(ready).map(({ name, state }) => [name, state])).toEqual([
      ["queue", "ok"],
      ["merge method", "ok"],
      ["declaration", "ok"],
      ["required checks", "ok"],
      ["auto-merge", "ok"],
    ]);
  });

  it.each([
    ["A2.6 no queue", "queue", { queueEnabled: false }, "fail", "no merge queue"],
    [
      "A2.5 squash",
      "merge method",
      live(ruleset({ queue: { ...queue, merge_method: "SQUASH" } })),
      "fail",
      "by squash",
    ],
    [
      "A2.4 nothing declared",
      "declaration",
      { gate: gate({ declaration: { read: "absent" } }) },
      "ok",
      "none are compared",
    ],
    [
      "A2.1 an invalid declaration",
      "declaration",
      { gate: gate({ declaration: { read: "text", text: "{}" } }) },
      "fail",
      "`strict` is missing",
    ],
    [
      "A2.2 another declaration",
      "declaration",
      { gate: gate({ declaration: declared({ strict: true }) }) },
      "fail",
      "strict: declared true, live false",
    ],
    [
      "A2.3 an unreadable declaration",
      "declaration",
      { gate: gate({ declaration: { read: "unreadable", why: "binary" } }) },
      "unknown",
      "binary",
    ],
    ["A2.3 hidden rules", "declaration", hidden, "unknown", "not for you"],
    ["A2.6 hidden rules", "required checks", hidden, "unknown", "not for you"],
    [
      "A2.6 nothing required",
      "required checks",
      live(ruleset({ required_checks: [] })),
      "fail",
      "No check is required",
    ],
    [
      "A2.6 case B01 a silent check",
      "required checks",
      { groups: [{ ...seen, reported: [] }] },
      "fail",
      "waited for it until the timeout: ci",
    ],
    [
      "A2.6 no group yet",
      "required checks",
      { groups: [] },
      "unknown",
      "Not seen on a group yet: ci",
    ],
    ["A2.6 unreadable groups", "required checks", { groups: null }, "unknown", "cannot be read"],
    ["A1.2 auto-merge off", "auto-merge", { autoMergeAllowed: false }, "fail", "does not allow"],
  ] as const)("%s: %s", (_name, name, changes, state, text) => {
    const found = line(name, changes);
    expect(found?.state).toBe(state);
    expect(found?.text).toContain(text);
    expect(found?.next === null).toBe(state !== "fail");
  });
});
