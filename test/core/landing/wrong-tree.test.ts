import { describe, expect, it } from "vitest";
import { withoutAncestry } from "../../../src/core/landing/content-evidence.js";
import { decide } from "../../../src/core/landing/decide.js";
import { describe as described } from "../../../src/core/landing/describe.js";
import { ranOnGroup } from "../../../src/core/landing/group-run.js";
import type { WrongTree } from "../../../src/core/landing/integrity.js";
import {
  defaultPolicy,
  type LandingFact,
  type LandingState,
} from "../../../src/core/landing/model.js";
import { landingView } from "../../../src/core/landing/view.js";
import {
  at,
  candidate,
  evidence,
  mergeCommit,
  mergedOnGitHub,
  observation,
  opened,
  otherHead,
} from "./world.js";

const wrong: WrongTree = { commit: mergeCommit, onto: otherHead, paths: ["tea.txt", "cup.txt"] };

const tell = (state: LandingState, fact: LandingFact) => decide(state, fact, defaultPolicy);
const found: LandingFact = { type: "wrongTreeFound", wrong };

function merged(groupRun?: boolean): LandingState {
  const seen = observation(10, {
    ...mergedOnGitHub,
    merge: { ...mergedOnGitHub.merge, ...(groupRun === undefined ? {} : { groupRun }) },
  });
  return tell(opened, { type: "armed", observation: seen, candidate, certain: true }).state;
}

describe("a wrong tree", () => {
  it("A16.1 freezes arming and tells the steering seat, with the paths, before anything else", () => {
    const { state, effects, why } = tell(merged(), found);
    expect(effects.map(({ type }) => type)).toEqual(["freezeArming", "notice"]);
    const told = JSON.stringify(effects);
    for (const path of wrong.paths) expect(told).toContain(path);
    expect(state).toMatchObject({ phase: "landed", wrongTree: wrong });
    expect(why).toContain("tea.txt, cup.txt");
    expect(described(state)).toBe(why);
  });

  it("A16.1 is told once, and freezes once, however often it is found", () => {
    const first = tell(merged(), found);
    const again = tell(first.state, found);
    expect(again.effects).toEqual([]);
    expect(again.state).toBe(first.state);
  });

  it("A16.1 is never called landed, and its holder is sent to nobody's close-out", () => {
    const { state } = tell(merged(), found);
    const view = landingView(state);
    expect(view.label).toBe("merged with a wrong tree");
    expect(view.next).toContain("yoke project unfreeze");
    expect(view.next).not.toContain("Close it out");
  });

  it.each([opened, tell(merged(), { type: "closedOut" }).state])(
    "A16.1 is found of a landing that was merged and not closed out, of no other",
    (state) => {
      expect(tell(state, found)).toMatchObject({ state, effects: [] });
    },
  );
});

describe("a landing and its group", () => {
  it.each([
    [true, "landed, close-out owed", "landed"],
    [undefined, "landed, close-out owed", "landed"],
    [false, "landed, not verified by a group; close-out owed", "landed, not verified by a group"],
  ])("A16.1 with a run %s it is called %j, then %j", (groupRun, before, after) => {
    const state = merged(groupRun);
    expect(landingView(state).label).toBe(before);
    expect(landingView(tell(state, { type: "closedOut" }).state).label).toBe(after);
  });

  it.each([
    ["no report", [], false],
    ["one that is running", [null], false],
    ["one that ended after the merge", [at(6)], false],
    ["one that ended with the merge", [at(5)], true],
    ["one that ended before it, among others", [null, at(9), at(1)], true],
  ])("A16.1 %s on the landed commit", (_title, ends, ran) => {
    expect(ranOnGroup(ends, at(5))).toBe(ran);
  });
});

describe("what a stop rests on where there is no ancestry", () => {
  const removal = { at: at(0), reason: null, groupCommit: null };
  const failed = [{ name: "ci", conclusion: "FAILURE", url: null, on: "group" as const }];

  it.each([
    ["a fresh removal proves nothing", evidence({ removal, readAt: at(120) }), "unknown"],
    ["an older one does", evidence({ removal, readAt: at(121) }), "no"],
    ["so does one with failed checks", evidence({ removal, failedChecks: failed }), "no"],
    ["and one that was never queued", evidence(), "no"],
    ["what the branch contains, it contains", evidence({ baseContainsCandidate: "yes" }), "yes"],
  ])("A5.12 A16.2 %s", (_title, given, answer) => {
    expect(withoutAncestry(given).baseContainsCandidate).toBe(answer);
  });
});
