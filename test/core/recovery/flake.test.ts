import { describe, expect, it } from "vitest";
import type { FailedCheck, LandingState, Stop } from "../../../src/core/landing/model.js";
import { openLanding } from "../../../src/core/landing/open-landing.js";
import {
  claimable,
  failedRun,
  flakeKey,
  parseFlake,
  tellsOfRun,
} from "../../../src/core/recovery/flake.js";

const runUrl = "https://github.test/acme/shop/actions/runs/900";
const failed: FailedCheck = {
  name: "ci",
  conclusion: "FAILURE",
  url: `${runUrl}/job/1`,
  on: "group",
  runUrl,
};

function stopped(changes: Partial<Stop> = {}): LandingState {
  const stop: Stop = {
    reason: "checks_failed",
    message: "",
    next: "",
    failedChecks: [failed],
    at: "2026-03-01T12:00:00Z",
    ...changes,
  };
  const open = openLanding({ project: "YOK", item: "YOK-7", gateBranch: "main" });
  return { ...open, phase: "stopped", stop };
}

describe("a flake retry", () => {
  it.each([
    ["tea.spec: the kettle was cold", { test: "tea.spec", why: "the kettle was cold" }],
    ["  tea::pour[a: b]: x ", { test: "tea::pour[a", why: "b]: x" }],
    ["suite::case: it sleeps", { test: "suite::case", why: "it sleeps" }],
    ["tea.spec", null],
    ["tea.spec:", null],
    ["tea.spec:why", null],
    [": why", null],
    ["", null],
  ])("A9.1 reads %j", (text, expected) => {
    expect(parseFlake(text)).toEqual(expected);
  });

  it("A9.2 one pair of head and base is one key, and another head, base or pull request is another", () => {
    const train = { project: "YOK", pullRequest: 7, head: "a", base: "b" };
    const keys = [
      train,
      { ...train, pullRequest: 8 },
      { ...train, head: "b", base: "a" },
      { ...train, base: "c" },
      { ...train, project: "SHOP" },
    ].map(flakeKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(flakeKey({ ...train })).toBe(keys[0]);
  });

  it("A9.1 is for a landing that stopped on a failed train", () => {
    expect(claimable(stopped(), "ci: slow")).toEqual({
      reason: { test: "ci", why: "slow" },
      runUrl,
    });
    expect(claimable(stopped(), "ci")).toMatchObject({ code: "flake_reason_invalid", exit: 4 });
    const others: readonly LandingState[] = [
      stopped({ reason: "left_the_queue" }),
      stopped({ failedChecks: [{ ...failed, on: "head" }] }),
      { ...stopped(), phase: "held" },
      { ...stopped(), stop: null },
    ];
    for (const state of others) {
      expect(claimable(state, "ci: slow")).toMatchObject({ code: "flake_train_missing" });
    }
    const { runUrl: _none, ...silent } = failed;
    expect(
      claimable(stopped({ failedChecks: [{ ...silent, url: null }] }), "ci: slow"),
    ).toMatchObject({
      code: "flake_run_unknown",
    });
  });

  it("A9.4 names the run that failed before one that was cancelled beside it", () => {
    const cancelled = { ...failed, conclusion: "CANCELLED", runUrl: `${runUrl}1` };
    expect(failedRun([cancelled, failed])).toBe(runUrl);
    expect(failedRun([cancelled])).toBe(`${runUrl}1`);
    const { runUrl: _none, ...elsewhere } = failed;
    expect(failedRun([elsewhere])).toBe(failed.url);
    expect(failedRun([{ ...failed, on: "head" }])).toBeNull();
  });

  it("A9.5 a message speaks of a run when it names its page, or one below it", () => {
    expect(tellsOfRun(`see ${runUrl}.`, runUrl)).toBe(true);
    expect(tellsOfRun(`${runUrl}/job/1 failed`, runUrl)).toBe(true);
    expect(tellsOfRun(`${runUrl}1 failed`, runUrl)).toBe(false);
    expect(tellsOfRun(`${runUrl}1 failed, and ${runUrl} too`, runUrl)).toBe(true);
    expect(tellsOfRun("run 900 failed", runUrl)).toBe(false);
  });
});
