import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describe as inWords } from "../../../src/core/landing/describe.js";
import { staleReason, type DirectMerge } from "../../../src/core/landing/direct.js";
import type { LandingState, Observation } from "../../../src/core/landing/model.js";
import {
  answer,
  candidate,
  evidence,
  give,
  head,
  mergedOnGitHub,
  newest,
  notices,
  observation,
  opened,
  otherHead,
  queued,
  see,
  types,
} from "./world.js";

const blocked = { queueEnabled: false, mergeState: "BLOCKED" } as const;
const ready = { queueEnabled: false, mergeState: "CLEAN" } as const;

function begun(): LandingState {
  return give(opened, {
    type: "armed",
    observation: observation(0, blocked),
    candidate,
    certain: true,
    direct: true,
  }).state;
}

const checks = (passed: number, failed: number, running: number) => ({
  checks: { head: { passed, failed, running }, group: null },
});
const answered = (state: LandingState, given: DirectMerge) =>
  give(state, { type: "directMerge", answer: given });

describe("a landing without a queue", () => {
  it("A12.3 waits for its checks without asking GitHub for anything, and says so", () => {
    const state = begun();
    expect(state).toMatchObject({ phase: "pending", episode: 1, direct: { asked: 0 } });
    const waits = see(state, 1000, { ...blocked, ...checks(1, 0, 1) });
    expect(waits.effects).toEqual([]);
    expect(inWords(waits.state)).toContain("then is merged directly");
  });

  it.each(["CLEAN", "UNSTABLE", "HAS_HOOKS"] as const)(
    "A12.3 is merged once GitHub says %s, each request under a key of its own",
    (mergeState) => {
      const first = see(begun(), 10, { ...ready, mergeState });
      expect(first.effects[0]).toEqual({ type: "mergeDirectly", key: "merge:YOK-7:1:1" });
      const second = see(first.state, 20, { ...ready, mergeState });
      expect(second.effects[0]).toEqual({ type: "mergeDirectly", key: "merge:YOK-7:1:2" });
    },
  );

  it("A12.3 A5.1 lands as any other one once GitHub says merged", () => {
    const sent = answered(see(begun(), 10, ready).state, { outcome: "sent" });
    expect(types(sent)).toEqual(["recheck"]);
    expect(types(see(sent.state, 20, { ...ready, ...mergedOnGitHub }))).toEqual([
      "stampLanding",
      "notice",
    ]);
  });

  it.each([
    ["stale", "MergeTargetStale", "moved while its checks ran"],
    ["has_queue", "gate_has_queue", "has a merge queue now"],
  ] as const)("A12.3 an answer %s stops it as %s, with one notice", (outcome, reason, words) => {
    const stopped = answered(see(begun(), 10, ready).state, { outcome });
    expect(stopped.state).toMatchObject({ phase: "stopped", stop: { reason } });
    expect(stopped.state.stop?.message).toContain(words);
    expect(notices(stopped)).toHaveLength(1);
  });

  it("A12.3 a refusal is tried again after a reading; the fourth stops it with GitHub's words", () => {
    let state = begun();
    for (let turn = 1; turn <= 4; turn += 1) {
      const sent = see(state, turn * 10, ready);
      expect(types(sent)).toContain("mergeDirectly");
      state = answered(sent.state, { outcome: "refused", message: "not today" }).state;
      expect(state.phase).toBe(turn < 4 ? "pending" : "stopped");
    }
    expect(state.stop).toMatchObject({ reason: "merge_refused" });
    expect(state.stop?.message).toContain("not today");
  });

  it("A12.3 what was not sent is not spent", () => {
    let state = begun();
    for (let turn = 1; turn <= 9; turn += 1) {
      const sent = see(state, turn * 10, ready);
      expect(sent.effects[0]).toMatchObject({ key: "merge:YOK-7:1:1" });
      state = answered(sent.state, { outcome: "later", why: "rate limit" }).state;
    }
    expect(state.phase).toBe("pending");
  });

  it.each([
    ["a base that moved under strict rules", { mergeState: "BEHIND" }, "MergeTargetStale"],
    ["a conflict", { mergeable: "CONFLICTING", mergeState: "DIRTY" }, "conflicts_with_base"],
    ["a queue that appeared", { queueEnabled: true }, "gate_has_queue"],
    ["an entry in it", { queueEnabled: true, ...queued() }, "gate_has_queue"],
  ] as const)("A12.3 %s stops it once the base was asked", (_name, changes, reason) => {
    const seen = see(begun(), 10, { ...blocked, ...changes });
    expect(types(seen)).toEqual(["readStopEvidence"]);
    expect(answer(seen.state).state.stop?.reason).toBe(reason);
  });

  it("A12.3 A5.3 failed required checks stop it; failed optional ones are looked into once", () => {
    const failed = see(begun(), 10, { ...blocked, ...checks(0, 1, 0) });
    expect(types(failed)).toEqual(["readStopEvidence"]);
    const ci = { name: "ci", conclusion: "FAILURE", url: null, on: "head" } as const;
    expect(answer(failed.state, { failedChecks: [ci] }).state.stop).toMatchObject({
      reason: "checks_failed",
      failedChecks: [ci],
    });
    const optional = answer(failed.state).state;
    expect(optional.phase).toBe("pending");
    expect(see(optional, 20, { ...blocked, ...checks(0, 1, 0) }).effects).toEqual([]);
    expect(types(see(optional, 30, { ...blocked, ...checks(0, 2, 0) }))).toEqual([
      "readStopEvidence",
    ]);
  });

  it("A5.9 another head stops it, whatever GitHub says of it", () => {
    expect(types(see(begun(), 10, { ...ready, head: otherHead }))).toEqual(["disarm"]);
  });

  it("A4.7 a merge state that GitHub is computing decides nothing", () => {
    expect(types(see(begun(), 10, { ...ready, mergeable: "UNKNOWN" }))).toEqual(["recheck"]);
  });

  it("A12.3 A16.3 a freeze holds it, and its end takes it up again without arming anything", () => {
    const frozen = { reason: "release", until: null };
    const held = give(begun(), { type: "held", at: newest(begun()).readAt, frozen }).state;
    const readyAgain = see(held, 50, ready).state;
    expect(readyAgain.phase).toBe("held");
    expect(types(give(readyAgain, { type: "thawed" }))).toEqual(["mergeDirectly", "recheck"]);
    const waiting = give(see(held, 50, blocked).state, { type: "thawed" });
    expect(waiting.state.phase).toBe("pending");
    expect(waiting.effects).toEqual([]);
  });

  it("A12.3 a later arming through the queue leaves the direct route", () => {
    const again = give(begun(), {
      type: "armed",
      observation: observation(20, queued()),
      candidate,
      certain: true,
    });
    expect(again.state.direct).toBeNull();
  });

  it("A12.3 no order of readings and answers reuses a key that was sent, tells the holder twice, or leaves a merge", () => {
    const seen = fc.constantFrom<Partial<Observation>>(
      ready,
      blocked,
      { ...blocked, ...checks(0, 1, 0) },
      { ...ready, mergeable: "UNKNOWN" },
      { ...ready, ...mergedOnGitHub },
    );
    const said = fc.constantFrom<DirectMerge>(
      { outcome: "sent" },
      { outcome: "stale" },
      { outcome: "refused", message: "no" },
      { outcome: "later", why: "limit" },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(seen, said), { maxLength: 12 }), (steps) => {
        let state = begun();
        let told = 0;
        let merged = false;
        const sent: string[] = [];
        steps.forEach(([reading, outcome], turn) => {
          const decision = see(state, turn + 1, reading);
          state = decision.state;
          told += notices(decision).filter(({ kind }) => kind === "stopped").length;
          for (const effect of decision.effects) {
            if (effect.type === "mergeDirectly") {
              if (outcome.outcome !== "later") sent.push(effect.key);
              const after = answered(state, outcome);
              told += notices(after).filter(({ kind }) => kind === "stopped").length;
              state = after.state;
            }
            if (effect.type === "readStopEvidence") {
              const newer = newest(state);
              const fact = {
                type: "stopEvidence",
                observation: newer,
                evidence: evidence(),
              } as const;
              state = give(state, fact).state;
            }
          }
          merged ||= state.phase === "landed";
          expect(merged).toBe(state.phase === "landed");
        });
        expect(new Set(sent).size).toBe(sent.length);
        expect(told).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("whether the base moved", () => {
  it.each([
    ["AHEAD", null],
    ["IDENTICAL", null],
    ["BEHIND", null],
    ["DIVERGED", "MergeTargetStale"],
  ] as const)("A12.3 %s: %s", (comparison, code) => {
    expect(staleReason("YOK-7", "main", head, comparison)?.code ?? null).toBe(code);
  });
});
