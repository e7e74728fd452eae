import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../src/core/gate/declaration.js";
import { queue, rules } from "./declared.js";

function problems(value: unknown): readonly string[] {
  const parsed = parseDeclaration(typeof value === "string" ? value : JSON.stringify(value));
  return parsed.valid ? [] : parsed.problems;
}

describe("the declaration of a gate branch", () => {
  it("A2.1 declares queue parameters, required checks with their sources, merge method and strictness", () => {
    const required_checks = [{ context: "ci" }, { context: "lint", integration_id: 15368 }];
    expect(parseDeclaration(JSON.stringify({ ...rules, required_checks }))).toEqual({
      valid: true,
      rules: {
        queue,
        required_checks: [
          { context: "ci", integration_id: null },
          { context: "lint", integration_id: 15368 },
        ],
        strict: false,
      },
    });
  });

  it("A2.1 a branch without a queue says so", () => {
    expect(parseDeclaration(JSON.stringify({ ...rules, queue: null }))).toMatchObject({
      valid: true,
      rules: { queue: null },
    });
  });

  it.each([
    ["no JSON", "{", "the file is not JSON: "],
    ["a list", [], "the file is []: expected an object"],
    [
      "an unknown key",
      { ...rules, merge: 1 },
      "`merge` is not a key: knows only queue, required_checks and strict",
    ],
    [
      "a missing key",
      { queue, required_checks: [] },
      "`strict` is missing: expected true or false",
    ],
    [
      "strictness in words",
      { ...rules, strict: "yes" },
      '`strict` is "yes": expected true or false',
    ],
    [
      "an unknown method",
      { ...rules, queue: { ...queue, merge_method: "merge" } },
      '`queue.merge_method` is "merge": expected one of MERGE, SQUASH, REBASE',
    ],
    [
      "a number out of range",
      { ...rules, queue: { ...queue, check_response_timeout_minutes: 361 } },
      "`queue.check_response_timeout_minutes` is 361: expected a whole number from 1 to 360",
    ],
    [
      "a broken number",
      { ...rules, queue: { ...queue, max_entries_to_build: 1.5 } },
      "`queue.max_entries_to_build` is 1.5: expected a whole number from 0 to 100",
    ],
    [
      "a queue key that is not there",
      { ...rules, queue: { ...queue, min_entries_to_merge: undefined } },
      "`queue.min_entries_to_merge` is missing: expected a whole number from 0 to 100",
    ],
    [
      "an unknown queue key",
      { ...rules, queue: { ...queue, jump: true } },
      "`queue.jump` is not a key: knows only the parameters of GitHub's rule merge_queue",
    ],
    [
      "a check by its name alone",
      { ...rules, required_checks: ["ci"] },
      '`required_checks[0]` is "ci": expected an object',
    ],
    [
      "a check without a name",
      { ...rules, required_checks: [{ context: "" }] },
      '`required_checks[0].context` is "": expected the name of a check',
    ],
    [
      "an App that is none",
      { ...rules, required_checks: [{ context: "ci", integration_id: -1 }] },
      "`required_checks[0].integration_id` is -1: expected the id of a GitHub App, or null for any source",
    ],
    [
      "a check that comes twice",
      { ...rules, required_checks: [{ context: "ci" }, { context: "ci" }] },
      "`required_checks[1]` repeats ci",
    ],
  ])("A2.1 %s is named by its key", (_name, value, message) => {
    const found = problems(value);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it("A2.1 every wrong key is named at once", () => {
    expect(
      problems({ ...rules, queue: { ...queue, merge_method: 1 }, strict: 0, more: 1 }),
    ).toEqual([
      "`queue.merge_method` is 1: expected one of MERGE, SQUASH, REBASE",
      "`strict` is 0: expected true or false",
      "`more` is not a key: knows only queue, required_checks and strict",
    ]);
  });
});
