import { describe, expect, it } from "vitest";
import { neverReported, type GroupReport } from "../../../src/core/gate/reporting.js";
import { rules } from "./declared.js";

const a = { context: "a", integration_id: null };
const b = { context: "b", integration_id: 7 };
const required = { ...rules, required_checks: [a, b] };

/** A group that left the queue after `minutes`; null: it is in it. */
function group(minutes: number | null, ...reported: GroupReport["reported"]): GroupReport {
  const builtAt = "2026-03-01T12:00:00Z";
  const leftAt =
    minutes === null ? null : new Date(Date.parse(builtAt) + minutes * 60_000).toISOString();
  return { builtAt, leftAt, reported };
}

const byA = { context: "a", app: 1 };
const byB = { context: "b", app: 7 };

describe("required checks that nothing reports on groups", () => {
  it("A2.6 case B01 one that no group has, though a group waited out the timeout, is named", () => {
    expect(neverReported(required, [group(60, byA), group(null, byA)])).toEqual([b]);
    expect(neverReported(required, [group(60)])).toEqual([a, b]);
  });

  it("A2.6 its twin: one that was reported on any group, even one still in the queue, is not", () => {
    expect(neverReported(required, [group(60, byA), group(null, byB)])).toEqual([]);
    expect(neverReported(required, [group(60, byA), group(3, byA, byB)])).toEqual([]);
  });

  it("A2.6 case B03 groups that ended sooner or are being built prove nothing", () => {
    for (const groups of [[], [group(null)], [group(59, byA)]]) {
      expect(neverReported(required, groups)).toEqual([]);
    }
  });

  it("A2.6 case B12 a report of another App does not count for a bound check, a status may", () => {
    expect(neverReported(required, [group(60, byA, { context: "b", app: 8 })])).toEqual([b]);
    expect(neverReported(required, [group(60, byA, { context: "b", app: null })])).toEqual([]);
  });

  it("A2.6 a branch without a queue has no groups to report on", () => {
    expect(neverReported({ ...required, queue: null }, [group(60)])).toEqual([]);
  });
});
