import { describe, expect, it } from "vitest";
import { describe as whyOf, describeChecks, duration } from "../../../src/core/landing/describe.js";
import { landingDetails, landingPendingText, landingView } from "../../../src/core/landing/view.js";
import {
  answer,
  armed,
  at,
  give,
  head,
  mergeCommit,
  mergedOnGitHub,
  observation,
  opened,
  queued,
  see,
} from "./world.js";

describe("a landing as people see it", () => {
  it("A5.2 a queued landing shows its position and the time to merge", () => {
    const view = landingView(see(armed(), 10, queued()).state, "why");
    expect(view).toMatchObject({
      item: "YOK-7",
      phase: "pending",
      label: "waiting for the queue",
      pullRequest: 12,
      candidate: head,
      episode: 1,
      position: 3,
      etaSeconds: 600,
      next: null,
      readAt: at(10),
    });
  });

  it("A1.5 place, time and checks are those of the newest reading, which woke nobody", () => {
    const { state } = see(armed(), 10, queued());
    const entry = {
      state: "AWAITING_CHECKS",
      position: 2,
      enqueuedAt: at(0),
      estimatedTimeToMerge: 240,
      groupCommit: mergeCommit,
    } as const;
    const checks = {
      head: { passed: 5, failed: 0, running: 0 },
      group: { passed: 3, failed: 0, running: 1 },
    };
    const newest = observation(70, { queue: { read: "entry", entry }, checks });
    const view = landingView(state, "in the queue at position 3", newest);
    expect(view).toMatchObject({ position: 2, etaSeconds: 240, readAt: at(70) });
    expect(view.why).toContain("at position 2 (AWAITING_CHECKS, about 4 min to merge)");
    expect(view.checks).toEqual({ of: "group", passed: 3, failed: 0, running: 1 });
    const unbuilt = { ...entry, groupCommit: null };
    const waiting = observation(71, {
      queue: { read: "entry", entry: unbuilt },
      checks: { ...checks, group: null },
    });
    expect(landingView(state, "why", waiting).checks).toMatchObject({ of: "head", passed: 5 });
    expect(landingView(state, "why").checks).toBeNull();
  });

  it("a reading of another pull request, or of one that is merged, shows no checks", () => {
    const { state } = see(armed(), 10, queued());
    const checks = { head: { passed: 1, failed: 0, running: 0 }, group: null };
    const other = observation(70, { pullRequest: 13, checks });
    expect(landingView(state, "why", other)).toMatchObject({ checks: null, readAt: at(10) });
    const merged = observation(70, { ...mergedOnGitHub, checks });
    expect(landingView(state, "why", merged)).toMatchObject({ checks: null, why: "why" });
  });

  it.each([
    [{ of: "group", passed: 3, failed: 0, running: 1 }, "checks of the group: 3 passed, 1 running"],
    [{ of: "head", passed: 0, failed: 2, running: 0 }, "checks of the pull request: 2 failed"],
    [{ of: "group", passed: 0, failed: 0, running: 0 }, "checks of the group: none reported yet"],
    [
      { of: "group", passed: 0, failed: 0, running: 3, notStarted: 2 },
      "checks of the group: 1 running, 2 not started",
    ],
  ] as const)("%o reads as %s", (checks, text) => {
    expect(describeChecks(checks)).toBe(text);
  });

  it("A5.3 a stopped landing shows its failed checks and what to do", () => {
    const check = { name: "test", conclusion: "CANCELLED", url: null, on: "head" } as const;
    const view = landingView(answer(see(armed(), 10).state, { failedChecks: [check] }).state);
    expect(view).toMatchObject({
      label: "stopped",
      failedChecks: ["test: CANCELLED"],
      position: null,
    });
    expect(view.next).toContain("yoke merge item YOK-7");
  });

  it("what is merged shows the merge commit, and owes its close-out until that is done", () => {
    const landed = see(armed(), 10, mergedOnGitHub).state;
    expect(landingView(landed)).toMatchObject({ label: "landed, close-out owed", mergeCommit });
    const closed = landingView(give(landed, { type: "closedOut" }).state);
    expect(closed).toMatchObject({ label: "landed", next: null });
  });

  it("a landing that was never armed says how to arm it", () => {
    expect(landingView(opened)).toMatchObject({ pullRequest: null, why: "nothing was armed yet" });
    expect(landingView(opened).next).toContain("yoke merge item YOK-7");
  });

  it("A1.4 the pending text names landing, pull request, head and what to do next", () => {
    const text = landingPendingText(armed(), whyOf(armed()));
    expect(text.split("\n")[0]).toBe("landing_pending: true");
    expect(text).toContain("landing: landing:YOK-7");
    expect(text).toContain("pull request: 12 https://github.example/o/r/pull/12");
    expect(text).toContain(`head: ${head}`);
    expect(text).toContain("next: Wait for the landing notice");
  });

  it("the details leave out what is not known", () => {
    const details = landingDetails(opened, "nothing was armed yet");
    expect(details).toContain("state: not armed");
    expect(details).not.toContain("null");
    expect(landingDetails(see(armed(), 1, queued()).state, "w")).toContain(
      "time to merge: about 10 min",
    );
  });

  it.each([
    [-1, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [3570, "1 h"],
    [7500, "2 h 5 min"],
  ])("%d seconds read as %s", (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});
