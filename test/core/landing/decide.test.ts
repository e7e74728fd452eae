import { describe, expect, it } from "vitest";
import {
  answer,
  armed,
  armedByGitHub,
  at,
  candidate,
  give,
  head,
  mergeCommit,
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

const failing = {
  name: "test",
  conclusion: "FAILURE",
  url: "https://ci.example/1",
  on: "group",
} as const;
const cancelled = { name: "lint", conclusion: "CANCELLED", url: null, on: "group" } as const;

describe("the decision of a landing", () => {
  it("A5.1 a merge stamps the receipt's identity first and then tells the holder once", () => {
    const decision = see(armed(), 10, mergedOnGitHub);
    expect(decision.state.phase).toBe("landed");
    expect(decision.effects).toMatchObject([
      {
        type: "stampLanding",
        pullRequest: 12,
        headBranch: "yok-7",
        target: "main",
        head,
        mergeCommit,
        mergedAt: at(5),
      },
      { type: "notice", notice: { key: "YOK-7/1/landed", kind: "landed" } },
    ]);
    expect(notices(decision)[0]?.next).toContain("yoke merge item YOK-7");
    expect(see(decision.state, 20, mergedOnGitHub).effects).toEqual([]);
  });

  it.each(["commit", "mergedAt"] as const)(
    "A11.1 a merge without its %s stamps nothing and records the missing identity until it comes",
    (missing) => {
      const merge = { ...mergedOnGitHub.merge, [missing]: null };
      const incomplete = see(armed(), 10, { state: "MERGED", merge });
      expect(incomplete.state.phase).toBe("pending");
      expect(types(incomplete)).toEqual(["refreshError", "recheck"]);
      expect(incomplete.effects[0]).toMatchObject({ code: "merge_landing_identity_missing" });
      const lagging = see(incomplete.state, 15);
      expect(lagging.state).toBe(incomplete.state);
      expect(types(see(lagging.state, 20, mergedOnGitHub))).toEqual(["stampLanding", "notice"]);
    },
  );

  it("A5.2 arming or a viable entry is pending, with position and time to merge", () => {
    expect(armed().phase).toBe("pending");
    const decision = see(armed(), 10, queued("AWAITING_CHECKS"));
    expect(decision.state.phase).toBe("pending");
    expect(decision.effects).toEqual([]);
    expect(decision.why).toContain("position 3");
    expect(decision.why).toContain("about 10 min to merge");
  });

  it("A5.3 neither arming nor an entry gives one stopped notice with failed and cancelled checks", () => {
    const left = see(armed(), 60);
    expect(types(left)).toEqual(["readStopEvidence"]);
    const stopped = answer(left.state, { failedChecks: [failing, cancelled] });
    expect(stopped.state.phase).toBe("stopped");
    expect(notices(stopped)).toMatchObject([
      { key: "YOK-7/1/stopped", reason: "checks_failed", failedChecks: [failing, cancelled] },
    ]);
  });

  it("A5.3 the stop stays when a later rerun passed without arming being restored", () => {
    const stopped = answer(see(armed(), 60).state, { failedChecks: [failing] }).state;
    const green = see(stopped, 120, { mergeState: "CLEAN" });
    expect(green.state.phase).toBe("stopped");
    expect(green.effects).toEqual([]);
  });

  it("A5.3 without failed checks the stop says that it left the queue, in GitHub's own words", () => {
    const removal = { at: at(50), reason: "manual", groupCommit: null };
    const stopped = answer(see(armed(), 60).state, { removal });
    expect(notices(stopped)[0]).toMatchObject({ reason: "left_the_queue" });
    expect(notices(stopped)[0]?.body).toContain('"manual"');
  });

  it("A5.3 a removal from before this arming is not told as the reason", () => {
    const removal = { at: at(-50), reason: "failed_checks", groupCommit: null };
    const stopped = answer(see(armed(), 60).state, { removal });
    expect(notices(stopped)[0]?.body).not.toContain("failed_checks");
  });

  it("case A39 a removal of the very second of the arming is told: GitHub's events have whole seconds", () => {
    const begun = armed();
    const late = { ...begun, armedAt: at(0).replace(/(\.\d+)?Z$/, ".900Z") };
    const told = (second: number) => {
      const removal = { at: at(second), reason: "CI_TIMEOUT", groupCommit: null };
      return notices(answer(see(late, 60).state, { removal }))[0]?.body;
    };
    expect(told(0)).toContain("CI_TIMEOUT");
    expect(told(-1)).not.toContain("CI_TIMEOUT");
  });

  it("A5.4 an entry that conflicts with the base is taken out, then the stop asks for a rebase", () => {
    const conflict = see(armed(), 10, { ...queued("UNMERGEABLE"), mergeable: "CONFLICTING" });
    expect(conflict.effects).toEqual([{ type: "disarm", key: "disarm:YOK-7:1" }]);
    expect(conflict.state.phase).toBe("pending");
    const stopped = give(conflict.state, { type: "disarmResult", ok: true, why: "", at: at(11) });
    expect(stopped.state).toMatchObject({ phase: "stopped", disarmFailed: false });
    expect(notices(stopped)).toMatchObject([{ reason: "conflicts_with_base" }]);
    expect(notices(stopped)[0]?.next).toContain("Rebase");
  });

  it("A5.6 A4.7 an unmergeable entry with undecided mergeability stays pending", () => {
    const decision = see(armed(), 10, { ...queued("UNMERGEABLE"), mergeable: "UNKNOWN" });
    expect(decision.state.phase).toBe("pending");
    expect(types(decision)).toEqual(["recheck"]);
  });

  it.each([
    ["the merge state is unknown", { mergeState: "UNKNOWN" }],
    ["mergeability is unknown", { mergeable: "UNKNOWN" }],
    ["the queue cannot be read", { queue: { read: "unreadable", why: "502" } }],
  ] as const)(
    "A5.6 A4.7 an open pull request without arming stays pending while %s",
    (_name, changes) => {
      const decision = see(armed(), 60, changes);
      expect(decision.state.phase).toBe("pending");
      expect(types(decision)).toEqual(["recheck"]);
    },
  );

  it("A5.6 its twin: with everything decided, the base branch is asked", () => {
    expect(types(see(armed(), 60, { mergeState: "CLEAN" }))).toEqual(["readStopEvidence"]);
  });

  it("A5.7 closed without merging stops with that reason, after the base branch was asked", () => {
    const closed = see(armed(), 60, { state: "CLOSED", closedAt: at(59) });
    expect(types(closed)).toEqual(["readStopEvidence"]);
    const stopped = answer(closed.state);
    expect(notices(stopped)).toMatchObject([{ reason: "closed_unmerged", kind: "stopped" }]);
  });

  it("A5.7 closing what was never armed is recorded and wakes nobody", () => {
    const closed = see(see(opened, 1).state, 60, { state: "CLOSED" });
    expect(closed.state).toMatchObject({ phase: "stopped", stop: { reason: "closed_unmerged" } });
    expect(closed.effects).toEqual([]);
  });

  it("A5.8 a hold waits without a notice, also after a new head was pushed", () => {
    const held = give(armed(), { type: "held", at: at(10) });
    expect(held.state.phase).toBe("held");
    for (const changes of [{}, { head: otherHead }, { mergeState: "CLEAN" }] as const) {
      const decision = see(held.state, 60, changes);
      expect(decision.state.phase).toBe("held");
      expect(decision.effects).toEqual([]);
    }
  });

  it("A5.8 a late reading of the arming that the hold ended does not lift it; arming again does", () => {
    const held = give(armed(), { type: "held", at: at(10) }).state;
    expect(see(held, 12, armedByGitHub).state.phase).toBe("held");
    expect(see(held, 60, { autoMerge: { enabledAt: at(50) } }).state.phase).toBe("pending");
    expect(see(held, 60, queued("QUEUED", at(50))).state.phase).toBe("pending");
  });

  it("A5.8 a hold while GitHub is asked to let go leaves the stop unsaid", () => {
    const moved = see(armed(), 10, { ...armedByGitHub, head: otherHead }).state;
    const held = give(moved, { type: "held", at: at(11) }).state;
    const late = give(held, { type: "disarmResult", ok: false, why: "refused", at: at(12) });
    expect(late).toMatchObject({ state: { phase: "held" }, effects: [] });
  });

  it("A5.9 case A20 a new head while armed is disarmed first, then the stop names both heads", () => {
    const moved = see(armed(), 10, { ...armedByGitHub, head: otherHead });
    expect(moved.effects).toEqual([{ type: "disarm", key: "disarm:YOK-7:1" }]);
    expect(see(moved.state, 20, { ...armedByGitHub, head: otherHead }).effects).toEqual([]);
    const stopped = give(moved.state, { type: "disarmResult", ok: true, why: "", at: at(11) });
    const [notice] = notices(stopped);
    expect(notice).toMatchObject({ reason: "head_changed", key: "YOK-7/1/stopped" });
    expect(notice?.body).toContain(head);
    expect(notice?.body).toContain(otherHead);
    expect(notice?.next).not.toContain("merge-queue hold");
  });

  it("A5.9 a disarm that was never answered is asked for again, and the stop is said once", () => {
    const moved = { ...armedByGitHub, head: otherHead };
    const asked = see(armed(), 10, moved).state;
    expect(see(asked, 100, moved).effects).toEqual([]);
    const again = see(asked, 101, moved);
    expect(types(again)).toEqual(["disarm"]);
    const first = give(again.state, { type: "disarmResult", ok: true, why: "", at: at(102) });
    const second = give(first.state, { type: "disarmResult", ok: true, why: "", at: at(103) });
    expect(notices(first)).toHaveLength(1);
    expect(second.effects).toEqual([]);
  });

  it("A6.2 a disarm that failed puts the hold command first in the notice", () => {
    const moved = see(armed(), 10, { ...armedByGitHub, head: otherHead });
    const stopped = give(moved.state, {
      type: "disarmResult",
      ok: false,
      why: "Resource not accessible",
      at: at(11),
    });
    expect(stopped.state.disarmFailed).toBe(true);
    expect(notices(stopped)[0]?.next).toMatch(
      /^First run `yoke github merge-queue hold YOK-7`, before a fix is pushed/,
    );
    expect(notices(stopped)[0]?.body).toContain("Resource not accessible");
    expect(give(stopped.state, { type: "held", at: at(20) }).state.disarmFailed).toBe(false);
  });

  it("A5.10 what GitHub cannot answer is never a stop: unreadable queue, base that could not be asked", () => {
    const unreadable = see(armed(), 60, { queue: { read: "unreadable", why: "no access" } });
    expect(unreadable.state.phase).toBe("pending");
    const unasked = answer(see(armed(), 60).state, { baseContainsCandidate: "unknown" });
    expect(unasked.state.phase).toBe("pending");
    expect(types(unasked)).toEqual(["recheck"]);
  });

  it("A4.5 a pull request that was opened for verification and never armed is no stopped landing", () => {
    const seen = see(opened, 60);
    expect(seen.state.phase).toBe("unarmed");
    expect(seen.effects).toEqual([]);
  });

  it("A4.5 its twin: once GitHub was seen to hold it, losing it asks for evidence", () => {
    expect(types(see(see(opened, 1, armedByGitHub).state, 60))).toEqual(["readStopEvidence"]);
  });

  it("A4.8 the same state again changes nothing and sends nothing", () => {
    for (const state of [armed(), answer(see(armed(), 60).state).state]) {
      const seen = newest(state);
      const again = give(state, { type: "observed", observation: seen });
      expect(again).toMatchObject({ state, effects: [] });
      const later = give(state, { type: "observed", observation: { ...seen, readAt: at(900) } });
      expect(later.effects).toEqual([]);
      expect({ ...later.state, lastObservation: null }).toEqual({
        ...state,
        lastObservation: null,
      });
    }
  });

  it("A4.8 a reading that was made earlier, or shows an older pull request, changes nothing", () => {
    const state = see(armed(), 100, { ...queued(), updatedAt: at(50) }).state;
    expect(see(state, 99, { updatedAt: at(50) }).state).toBe(state);
    expect(see(state, 101, { updatedAt: at(49) }).state).toBe(state);
    expect(types(see(state, 101, { updatedAt: at(50) }))).toEqual(["readStopEvidence"]);
  });

  it("A4.8 two readings in one second, the resolution of GitHub's clock, count in their order", () => {
    const state = see(armed(), 100, queued()).state;
    expect(see(state, 100, mergedOnGitHub).state.phase).toBe("landed");
    expect(types(see(state, 100))).toEqual(["readStopEvidence"]);
  });

  it("A4.8 a merge counts even when its reading comes late, and is never unsaid", () => {
    const stopped = answer(see(armed(), 60).state).state;
    expect(see(stopped, 30, mergedOnGitHub).state.phase).toBe("landed");
  });

  it("A4.8 a reading of another pull request is not about this landing", () => {
    const state = armed();
    expect(see(state, 60, { pullRequest: 13, state: "CLOSED" }).state).toBe(state);
  });

  it("A6.1 an arming whose reply was lost starts the episode too: it may have happened", () => {
    const begun = give(opened, {
      type: "armed",
      observation: observation(0),
      candidate,
      certain: false,
    });
    expect(begun.state).toMatchObject({ phase: "pending", episode: 1, admitted: true });
    expect(types(begun)).toEqual(["recheck"]);
    expect(types(see(begun.state, 8))).toEqual(["recheck"]);
    const never = answer(see(begun.state, 30).state);
    expect(notices(never)).toMatchObject([{ reason: "never_enqueued" }]);
  });

  it("A6.1 a merge wins from stopped and held, and nothing leaves landed but its close-out", () => {
    const stopped = answer(see(armed(), 60).state).state;
    const held = give(armed(), { type: "held", at: at(10) }).state;
    for (const state of [stopped, held, see(opened, 1).state]) {
      const landed = see(state, 90, mergedOnGitHub).state;
      expect(landed).toMatchObject({ phase: "landed", stop: null, landed: { mergeCommit } });
      const again = {
        type: "armed",
        observation: observation(99),
        candidate,
        certain: true,
      } as const;
      expect(give(landed, again).state).toBe(landed);
      expect(give(landed, { type: "held", at: at(99) }).state).toBe(landed);
      const closed = give(landed, { type: "closedOut" });
      expect(closed.state.phase).toBe("closed_out");
      expect(see(closed.state, 200, mergedOnGitHub)).toMatchObject({ effects: [] });
    }
    expect(give(armed(), { type: "closedOut" }).state.phase).toBe("pending");
  });

  it("A5.8 a hold on a stopped landing keeps the stop that only a governed arming takes back", () => {
    const stopped = answer(see(armed(), 60).state).state;
    const held = give(stopped, { type: "held", at: at(70) }).state;
    expect(held).toMatchObject({ phase: "held", stop: { reason: "left_the_queue" } });
    expect(see(held, 90, { autoMerge: { enabledAt: at(80) } }).state.phase).toBe("held");
  });
});
