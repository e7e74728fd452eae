import { describe, expect, it } from "vitest";
import { differences, inWords } from "../../../src/core/gate/compare.js";
import { combine, queueKeys } from "../../../src/core/gate/rules.js";
import { queue, rules, ruleset } from "./declared.js";

const other = {
  merge_method: "SQUASH",
  grouping_strategy: "HEADGREEN",
  check_response_timeout_minutes: 61,
  max_entries_to_build: 6,
  max_entries_to_merge: 7,
  min_entries_to_merge: 2,
  min_entries_to_merge_wait_minutes: 9,
} as const;

describe("comparing a declaration with the live rules", () => {
  it("A2.2 equal rules differ in nothing, whatever the order of the checks", () => {
    const checks = [
      { context: "ci", integration_id: null },
      { context: "lint", integration_id: 7 },
    ];
    const one = { ...rules, required_checks: checks };
    expect(differences(one, { ...rules, required_checks: checks.toReversed() })).toEqual([]);
  });

  it.each(queueKeys)("A2.2 queue.%s is compared, both values shown", (key) => {
    const live = { ...rules, queue: { ...queue, [key]: other[key] } };
    expect(differences(rules, live)).toEqual([
      { rule: `queue.${key}`, declared: String(queue[key]), live: String(other[key]) },
    ]);
  });

  it("A2.2 a queue on one side only is one difference", () => {
    const none = { ...rules, queue: null };
    expect(inWords(differences(rules, none))).toBe(
      "queue: declared a merge queue by MERGE, live no merge queue",
    );
    expect(inWords(differences(none, rules))).toBe(
      "queue: declared no merge queue, live a merge queue by MERGE",
    );
    expect(differences(none, none)).toEqual([]);
  });

  it("A2.2 checks and strictness: each that is missing or too many, a source of its own being another rule", () => {
    const live = {
      ...rules,
      required_checks: [
        { context: "ci", integration_id: 15368 },
        { context: "lint", integration_id: null },
      ],
      strict: true,
    };
    expect(inWords(differences(rules, live))).toBe(
      "required_checks.ci: declared required, live not required; " +
        "required_checks.ci from app 15368: declared not required, live required; " +
        "required_checks.lint: declared not required, live required; " +
        "strict: declared false, live true",
    );
  });

  it("A2.2 what several rulesets enforce counts together", () => {
    const lint = { context: "lint", integration_id: null };
    const combined = combine([
      ruleset(),
      ruleset(
        { queue: null, required_checks: [...rules.required_checks, lint], strict: true },
        "b",
      ),
    ]);
    expect(combined).toEqual({
      combined: true,
      rules: { queue, required_checks: [...rules.required_checks, lint], strict: true },
    });
    expect(combine([])).toMatchObject({
      rules: { queue: null, required_checks: [], strict: false },
    });
  });

  it("A2.3 two rulesets with different queues compare with nothing, equal ones do", () => {
    const twice = (max_entries_to_build: number) =>
      combine([ruleset(), ruleset({ queue: { ...queue, max_entries_to_build } }, "b")]);
    expect(twice(5)).toMatchObject({ combined: true });
    expect(twice(6)).toMatchObject({
      combined: false,
      why: 'the rulesets "main" and "b" set different merge queues',
    });
  });
});
