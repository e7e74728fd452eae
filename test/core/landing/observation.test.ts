import { describe, expect, it } from "vitest";
import { observedFacts, wakes } from "../../../src/core/landing/observation.js";
import { armed, at, give, observation, queued, see } from "./world.js";

const checks = (passed: number) => ({
  head: { passed, failed: 0, running: 4 - passed },
  group: null,
});

describe("what a reading changes", () => {
  it("A4.8 the counts of checks alone are stored for readers and wake no landing", () => {
    const { state } = see(armed(), 10, { ...queued(), checks: checks(1) });
    const reading = observation(10, { ...queued(), checks: checks(2) });
    const later = observation(70, { ...queued(), checks: checks(2) });
    for (const seen of [reading, later]) {
      expect(wakes(state, give(state, { type: "observed", observation: seen }))).toBe(false);
    }
    expect(observedFacts(later)).not.toBe(
      observedFacts(observation(10, { ...queued(), checks: checks(1) })),
    );
    expect(give(state, { type: "observed", observation: reading }).state).toBe(state);
  });

  it("A4.8 the counts hide nothing: a merge beside them wakes it", () => {
    const { state } = see(armed(), 10, { ...queued(), checks: checks(1) });
    const merge = { commit: "d".repeat(40), mergedAt: at(20) };
    const seen = observation(10, { state: "MERGED", merge, checks: checks(2) });
    expect(wakes(state, give(state, { type: "observed", observation: seen }))).toBe(true);
  });

  it("the times of a reading are no news", () => {
    expect(observedFacts(observation(1))).toBe(observedFacts(observation(2, { updatedAt: at(2) })));
  });
});
