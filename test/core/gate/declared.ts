/** A declaration as a repository keeps it, and readings made from it. */
import type { GateReading } from "../../../src/core/gate/gate-reasons.js";
import type {
  DeclarationRead,
  GateRules,
  QueueRule,
  RulesetRules,
} from "../../../src/core/gate/rules.js";

export const queue: QueueRule = {
  merge_method: "MERGE",
  grouping_strategy: "ALLGREEN",
  check_response_timeout_minutes: 60,
  max_entries_to_build: 5,
  max_entries_to_merge: 5,
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 5,
};

export const rules: GateRules = {
  queue,
  required_checks: [{ context: "ci", integration_id: null }],
  strict: false,
};

export function declared(changes: Partial<GateRules> = {}): DeclarationRead {
  return { read: "text", text: JSON.stringify({ ...rules, ...changes }) };
}

export function ruleset(changes: Partial<GateRules> = {}, name = "main"): RulesetRules {
  return { ...rules, ...changes, ruleset: { nodeId: `RRS_${name}`, name, source: "acme/shop" } };
}

export function gate(changes: Partial<GateReading> = {}): GateReading {
  return {
    head: "0".repeat(40),
    declaration: declared(),
    live: { read: "rules", rulesets: [ruleset()] },
    ...changes,
  };
}
