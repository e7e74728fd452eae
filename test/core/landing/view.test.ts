import { describe, expect, it } from "vitest";
import { describe as whyOf, duration } from "../../../src/core/landing/describe.js";
import { landingDetails, landingPendingText, landingView } from "../../../src/core/landing/view.js";
import {
  answer,
  armed,
  at,
  give,
  head,
  mergeCommit,
  mergedOnGitHub,
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
