import { describe, expect, it } from "vitest";
import { planRules } from "../../../src/core/gate/plan.js";
import type { GateRules, RulesetRules } from "../../../src/core/gate/rules.js";
import { queue, rules, ruleset } from "./declared.js";

const own = (changes: Partial<GateRules> = {}) => ruleset(changes, "yoke: main");
const nothing: GateRules = { queue: null, required_checks: [], strict: false };

function plan(live: readonly RulesetRules[], id: string | null, declared: GateRules = rules) {
  return planRules({ gateBranch: "main", declared, live, own: id });
}

describe("the plan of apply", () => {
  it("A2.4 without any ruleset it makes its own, with everything that is declared", () => {
    expect(plan([], null)).toEqual({
      can: true,
      action: "create",
      ruleset: "yoke: main",
      rules,
      changes: [
        { rule: "queue", declared: "a merge queue by MERGE", live: "no merge queue" },
        { rule: "required_checks.ci", declared: "required", live: "not required" },
      ],
    });
  });

  it("A2.4 it changes its own where that differs, and nothing where all is as declared", () => {
    const id = own().ruleset.nodeId;
    expect(plan([own()], id)).toMatchObject({ action: "none", changes: [] });
    expect(plan([own({ strict: true })], id)).toMatchObject({ action: "update", rules });
  });

  it("A2.4 its own that is switched off is no reason to make a second one", () => {
    expect(plan([], own().ruleset.nodeId)).toMatchObject({ action: "update", rules });
  });

  it("A2.4 what others enforce exactly is left to them", () => {
    expect(plan([ruleset()], null)).toMatchObject({ action: "none", rules: nothing });
    const checksOnly = ruleset({ queue: null });
    expect(plan([checksOnly], null)).toMatchObject({
      action: "create",
      rules: { ...nothing, queue },
    });
    const queueOnly = ruleset({ required_checks: [] });
    expect(plan([queueOnly], null)).toMatchObject({
      action: "create",
      rules: { ...rules, queue: null },
    });
  });

  it("A2.4 what another ruleset enforces and nobody declared cannot be taken back: each is named", () => {
    const lint = { context: "lint", integration_id: null };
    const foreign = ruleset(
      { queue: { ...queue, merge_method: "SQUASH" }, required_checks: [lint], strict: true },
      "org",
    );
    expect(plan([foreign, own()], own().ruleset.nodeId)).toEqual({
      can: false,
      against: [
        'the ruleset "org" of acme/shop sets another merge queue',
        'the ruleset "org" of acme/shop requires lint, which is not declared',
        'the ruleset "org" of acme/shop is strict',
      ],
    });
  });

  it("A2.4 a declaration without a queue takes back the own one, and cannot take back another's", () => {
    const declared = { ...rules, queue: null };
    expect(plan([own()], own().ruleset.nodeId, declared)).toMatchObject({
      action: "update",
      rules: declared,
    });
    expect(plan([ruleset()], null, declared)).toMatchObject({ can: false });
  });
});
