/** Armed without an entry, out of the queue, branches gone: the situations that must not be told too early. */
import { describe, expect, it } from "vitest";
import {
  answer,
  armed,
  armedByGitHub,
  at,
  candidate,
  give,
  mergedOnGitHub,
  newest,
  notices,
  observation,
  opened,
  queued,
  see,
  types,
} from "./world.js";

describe("A5.11 case A06 armed and ready without an entry", () => {
  const ready = { ...armedByGitHub, mergeState: "CLEAN" } as const;

  it("A5.11 waits out the grace period, then enqueues once, then stops", () => {
    const since = see(armed(), 100, ready);
    expect(since.effects).toEqual([{ type: "recheck", afterSeconds: 91 }]);
    expect(see(since.state, 190, ready).effects).toEqual([{ type: "recheck", afterSeconds: 1 }]);
    const asked = see(since.state, 191, ready);
    expect(asked.effects).toMatchObject([
      { type: "enqueue", key: "enqueue:YOK-7:1:grace", why: "grace", call: "enqueue" },
      { type: "recheck" },
    ]);
    expect(types(see(asked.state, 200, ready))).toEqual(["recheck"]);
    const given = see(asked.state, 300, ready);
    expect(types(given)).toEqual(["disarm"]);
    const stopped = give(given.state, { type: "disarmResult", ok: true, why: "", at: at(301) });
    expect(notices(stopped)).toMatchObject([{ reason: "never_enqueued" }]);
  });

  it("A5.11 what GitHub said to the one request is in the stop, and not in that of a later arming", () => {
    const asked = see(see(armed(), 100, ready).state, 191, ready).state;
    const message = "GitHub answered 422: the queue takes no entries";
    const refused = give(asked, { type: "enqueueRefused", observation: null, message });
    expect(types(refused)).toEqual(["recheck"]);
    const given = see(refused.state, 300, ready).state;
    const stopped = give(given, { type: "disarmResult", ok: true, why: "", at: at(301) });
    expect(stopped.state.stop?.message).toContain(`It refused with: ${message}.`);
    const again = give(stopped.state, {
      type: "armed",
      observation: observation(400, ready),
      candidate,
      certain: true,
    });
    expect(again.state.enqueueRefused).toBeNull();
  });

  it("A5.11 its twin: an entry in time ends the grace period", () => {
    const asked = see(see(armed(), 100, ready).state, 191, ready).state;
    const entered = see(asked, 200, queued());
    expect(entered.state).toMatchObject({ phase: "pending", readySince: null });
    expect(entered.effects).toEqual([]);
  });

  it("case A13 a reading that decides nothing does not reset the grace period", () => {
    const since = see(armed(), 100, ready).state;
    const blind = see(since, 150, { ...armedByGitHub, mergeable: "UNKNOWN" }).state;
    const unreadable = see(blind, 160, { queue: { read: "unreadable", why: "502" } }).state;
    expect(types(see(unreadable, 191, ready))).toContain("enqueue");
    const blocked = see(since, 150, { ...armedByGitHub, mergeState: "BLOCKED" }).state;
    expect(types(see(blocked, 191, ready))).toEqual(["recheck"]);
  });

  it("A5.11 arming by hand that yoke never governed is shown and left alone", () => {
    const seen = see(see(opened, 1, ready).state, 500, ready);
    expect(seen.state.phase).toBe("pending");
    expect(seen.effects).toEqual([]);
  });
});

describe("A5.12 case A01 out of the queue, merged only on a later read", () => {
  it.each(["yes", "unknown"] as const)(
    "A5.12 no stop is said when the base contains the candidate: %s",
    (baseContainsCandidate) => {
      const left = see(armed(queued()), 60);
      const asked = answer(left.state, {
        baseContainsCandidate,
        removal: { at: at(59), reason: "merged", groupCommit: null },
      });
      expect(asked.state.phase).toBe("pending");
      expect(types(asked)).toEqual(["recheck"]);
      const landed = see(asked.state, 90, mergedOnGitHub);
      expect(types(landed)).toEqual(["stampLanding", "notice"]);
    },
  );

  it("A5.12 its twin: the same removal with the base not containing it is a stop", () => {
    const stopped = answer(see(armed(queued()), 60).state);
    expect(stopped.state.phase).toBe("stopped");
  });

  it("A5.12 evidence read for an older reading is asked for again, not believed", () => {
    const first = see(armed(queued()), 60);
    const second = see(first.state, 70);
    const late = give(second.state, {
      type: "stopEvidence",
      observation: newest(first.state),
      evidence: { baseContainsCandidate: "no", failedChecks: [], removal: null, readAt: at(60) },
    });
    expect(late.state.phase).toBe("pending");
    expect(types(late)).toEqual(["readStopEvidence"]);
  });

  it("A5.12 evidence is dropped when a newer reading shows an entry again", () => {
    const left = see(armed(queued()), 60);
    const again = see(left.state, 70, queued());
    const late = answer(again.state);
    expect(late.state.phase).toBe("pending");
    expect(late.effects).toEqual([]);
  });
});

describe("A5.13 branches gone, closed then reopened", () => {
  it.each([
    ["head_branch_deleted", { state: "CLOSED", headBranchExists: false }],
    ["head_branch_deleted", { headBranchExists: false }],
    ["base_branch_gone", { state: "CLOSED", baseBranchExists: false }],
    ["base_branch_gone", { baseBranch: "trunk" }],
  ] as const)("A5.13 case A43 case A05 its own stop reason: %s", (reason, changes) => {
    const gone = see(armed(), 60, changes);
    expect(types(gone)).toEqual(["readStopEvidence"]);
    expect(notices(answer(gone.state))).toMatchObject([{ reason }]);
  });

  it("A5.13 a head branch deleted by the merge itself is no stop", () => {
    const gone = see(armed(queued()), 60, { headBranchExists: false });
    const asked = answer(gone.state, { baseContainsCandidate: "yes" });
    expect(asked.state.phase).toBe("pending");
    expect(see(asked.state, 70, { ...mergedOnGitHub, headBranchExists: false }).state.phase).toBe(
      "landed",
    );
  });

  it("A5.13 a base branch that is gone cannot be asked, so an unknown answer decides", () => {
    const gone = see(armed(), 60, { baseBranchExists: false });
    expect(answer(gone.state, { baseContainsCandidate: "unknown" }).state.phase).toBe("stopped");
  });

  it("A5.13 a retargeted pull request that is still armed is disarmed before the stop", () => {
    expect(types(see(armed(), 60, { ...armedByGitHub, baseBranch: "trunk" }))).toEqual(["disarm"]);
  });

  it("A5.13 a reopen never revives the intent, even when someone arms it by hand", () => {
    const stopped = answer(see(armed(), 60, { state: "CLOSED" }).state).state;
    for (const changes of [{}, { autoMerge: { enabledAt: at(80) } }, queued()]) {
      const reopened = see(stopped, 90, changes);
      expect(reopened.state.phase).toBe("stopped");
      expect(reopened.effects).toEqual([]);
    }
  });

  it("A5.13 A6.1 its twin: a new governed arming does, in a new episode with its own notice", () => {
    const stopped = answer(see(armed(), 60, { state: "CLOSED" }).state).state;
    const again = give(stopped, {
      type: "armed",
      observation: observation(90, { autoMerge: { enabledAt: at(90) } }),
      candidate,
      certain: true,
    });
    expect(again.state).toMatchObject({ phase: "pending", episode: 2, stop: null });
    expect(notices(answer(see(again.state, 200).state))).toMatchObject([
      { key: "YOK-7/2/stopped" },
    ]);
  });
});
