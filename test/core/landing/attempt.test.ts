import { describe, expect, it } from "vitest";
import { openAttempt, reopened } from "../../../src/core/landing/attempt.js";
import type { LandingState } from "../../../src/core/landing/model.js";
import {
  answer,
  armedByGitHub,
  candidate,
  give,
  mergedOnGitHub,
  notices,
  observation,
  see,
  types,
} from "./world.js";

/** Recorded after two episodes of earlier landings, and never armed. */
const attempt: LandingState = openAttempt({
  project: "YOK",
  item: "YOK-7",
  gateBranch: "main",
  pullRequest: { number: 12, nodeId: "PR_12", url: "https://github.test/pull/12" },
  episode: 2,
});
const armed = give(attempt, {
  type: "armed",
  observation: observation(0, armedByGitHub),
  candidate,
  certain: true,
}).state;
const closed = { state: "CLOSED", autoMerge: null } as const;
const why = "pull request 12 closed without merging";

describe("a re-land attempt", () => {
  it("A10.3 arming starts a new episode, which no earlier landing of the item had", () => {
    expect(attempt).toMatchObject({ phase: "unarmed", episode: 2, attempt: 12 });
    expect(armed).toMatchObject({ phase: "pending", episode: 3 });
  });

  it("A10.3 A10.4 closed and never armed, it ends without a notice", () => {
    const decision = see(attempt, 10, closed);
    expect(types(decision)).toEqual(["closeAttempt"]);
    const after = give(decision.state, { type: "attemptClosed", at: "2026-12-01T10:00:00Z" });
    expect(after.state).toMatchObject({
      phase: "closed",
      ended: { outcome: "closed_unmerged", reason: why },
    });
  });

  it("A10.4 closed while armed, it says so once, and ends only when that was delivered", () => {
    const asked = see(armed, 10, closed);
    expect(types(asked)).toEqual(["readStopEvidence"]);
    const stopped = answer(asked.state);
    expect(types(stopped)).toEqual(["notice", "closeAttempt"]);
    expect(notices(stopped)).toMatchObject([{ episode: 3, reason: "closed_unmerged" }]);
    expect(stopped.state.phase).toBe("stopped");
    // Not delivered: the next reading asks for the end again, and for no second notice.
    expect(types(see(stopped.state, 70, closed))).toEqual(["closeAttempt"]);
    const after = give(stopped.state, { type: "attemptClosed", at: "2026-12-01T10:00:00Z" });
    expect(after.state).toMatchObject({ phase: "closed", ended: { reason: why } });
    expect(types(see(after.state, 90, mergedOnGitHub))).toEqual([]);
  });

  it("A10.4 its twin: a first landing that is closed stops and stays", () => {
    const { attempt: _attempt, ...state } = armed;
    const stopped = answer(see(state, 10, closed).state);
    expect(types(stopped)).toEqual(["notice"]);
    const still = give(stopped.state, { type: "attemptClosed", at: "2026-12-01T10:00:00Z" });
    expect(still.state.phase).toBe("stopped");
  });

  it("A10.4 merged, it is stamped and told like every landing", () => {
    const merged = see(armed, 10, mergedOnGitHub);
    expect(types(merged)).toEqual(["stampLanding", "notice"]);
    expect(merged.state.phase).toBe("landed");
  });

  it("A10.2 superseded, it ends and nothing brings it back; a merged one is not superseded", () => {
    const by = { type: "superseded", by: 13, at: "2026-12-01T10:00:00Z" } as const;
    const ended = give(attempt, by).state;
    expect(ended).toMatchObject({
      phase: "closed",
      ended: { outcome: "superseded", reason: "superseded by pull request 13" },
    });
    expect(see(ended, 10, armedByGitHub).state.phase).toBe("closed");
    const merged = see(armed, 10, mergedOnGitHub).state;
    expect(give(merged, by).state.phase).toBe("landed");
  });

  it("A10.1 one that ended begins anew in the episode the item has reached", () => {
    const ended = give(armed, { type: "superseded", by: 13, at: "2026-12-01T10:00:00Z" }).state;
    const anew = reopened(ended, 5);
    expect(anew).toMatchObject({ phase: "unarmed", episode: 5, attempt: 12, admitted: false });
    expect(anew.noticed).toEqual(ended.noticed);
  });
});
