import { describe, expect, it } from "vitest";
import { gateReasons, type GateReading } from "../../../src/core/gate/gate-reasons.js";
import type { DeclarationRead } from "../../../src/core/gate/rules.js";
import { declared, gate, queue, ruleset } from "./declared.js";

function reasons(lane: DeclarationRead | undefined, reading: Partial<GateReading> = {}) {
  return gateReasons({
    project: "YOK",
    item: "YOK-7",
    gateBranch: "release",
    lane,
    gate: gate(reading),
  });
}

const absent = { read: "absent" } as const;
const unreadable = { read: "unreadable", why: "it is binary" } as const;
const hidden = { live: { read: "unreadable", why: "not for you" } } as const;
const other = declared({ strict: true });
const liveOther = {
  live: { read: "rules", rulesets: [ruleset({ queue: { ...queue, max_entries_to_build: 9 } })] },
} as const;

describe("what stands against a lane because of the declaration", () => {
  const stale = "lane_declaration_stale";
  const apply = "gate_rules_differ";
  const unverified = "gate_declaration_unverified";
  const invalid = "merge_queue_declaration_invalid";

  it.each([
    // The lane says what is live: nothing to teach, whatever the gate branch says.
    ["lane = live = gate", declared(), {}, null],
    ["lane = live, gate differs", declared(), { declaration: other }, null],
    ["lane = live, gate has none yet", declared(), { declaration: absent }, null],
    ["lane = live, gate invalid", declared(), { declaration: { read: "text", text: "{" } }, null],
    ["nothing declared anywhere", absent, { declaration: absent }, null],
    ["nothing declared anywhere, rules hidden", absent, { declaration: absent, ...hidden }, null],
    ["an older command, and nothing on the gate", undefined, { declaration: absent }, null],
    // The lane differs.
    ["lane differs, gate = live", other, {}, stale],
    ["lane has none, gate = live", absent, {}, stale],
    ["lane differs, gate differs too", other, liveOther, apply],
    ["lane = gate, live differs", declared(), liveOther, apply],
    ["lane has none, gate differs", absent, liveOther, apply],
    // It cannot be told.
    ["lane differs, gate has none", other, { declaration: absent }, unverified],
    ["lane differs, gate unreadable", other, { declaration: unreadable }, unverified],
    [
      "lane differs, gate invalid",
      other,
      { declaration: { read: "text", text: "{}" } },
      unverified,
    ],
    ["lane has none, gate unreadable", absent, { declaration: unreadable }, unverified],
    ["live rules hidden", declared(), hidden, unverified],
    ["lane unreadable", unreadable, {}, unverified],
    ["an older command", undefined, {}, unverified],
    ["lane invalid", { read: "text", text: "{}" }, {}, invalid],
  ] as const)("A2.2 A2.3 %s", (_name, lane, reading, code) => {
    const codes = reasons(lane, reading).map((refusal) => refusal.code);
    expect(codes).toEqual(code === null ? [] : [code]);
  });

  it("A2.2 a stale lane lists each differing rule with both values, and is told never to apply", () => {
    const [refusal] = reasons(
      declared({ strict: true, queue: { ...queue, merge_method: "SQUASH" } }),
    );
    expect(refusal?.message).toContain("queue.merge_method: declared SQUASH, live MERGE");
    expect(refusal?.message).toContain("strict: declared true, live false");
    expect(refusal?.seen).toMatchObject({ strict: "declared true, live false" });
    expect(refusal?.next).toContain("Update the lane from `release`");
    expect(refusal?.next).toContain("Never apply from the lane");
  });

  it("A2.2 a gate branch that differs too lists its own rules and names the command", () => {
    const [refusal] = reasons(other, liveOther);
    expect(refusal?.message).toContain("queue.max_entries_to_build: declared 5, live 9");
    expect(refusal?.next).toContain(
      "`yoke github merge-queue apply --project YOK` from an up-to-date checkout of `release`",
    );
  });

  it("A2.3 an unverified declaration says which side, and never teaches apply", () => {
    const [hiddenRules] = reasons(declared(), hidden);
    expect(hiddenRules?.message).toContain("the live rules: not for you");
    const [gateInvalid] = reasons(other, { declaration: { read: "text", text: '{"queue":1}' } });
    expect(gateInvalid?.message).toContain("that of the gate branch: `queue` is 1");
    for (const refusal of [hiddenRules, gateInvalid]) {
      expect(refusal?.next).toContain("Never apply from the lane");
      expect(refusal?.next).not.toContain("yoke github merge-queue apply");
    }
  });

  it("A2.1 an invalid lane names each wrong key", () => {
    const [refusal] = reasons({ read: "text", text: '{"queue":null,"required_checks":[]}' });
    expect(refusal?.message).toContain("`strict` is missing");
  });
});
