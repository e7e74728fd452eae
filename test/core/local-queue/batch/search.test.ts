import { describe, expect, it } from "vitest";
import { mostFlakes } from "../../../../src/core/local-queue/batch/search.js";
import type { Verdict } from "../../../../src/core/local-queue/batch/trial.js";
import { failed, judged, names, passed } from "./judge.js";

/** C4.7 */
const mostExtraTrials = (size: number) => 2 * Math.ceil(Math.log2(size)) + 1;

const badly = (bad: readonly string[]) => (members: readonly string[]) => {
  const found = members.filter((member) => bad.includes(member));
  return found.length === 0 ? passed : failed(...found);
};

describe("a batch of the local queue", () => {
  it("C7.2 C4.7 lands whole after one trial when it passes", () => {
    const { result, trials } = judged(names(16), badly([]));
    expect(trials).toEqual([{ members: names(16), again: false, verdict: passed }]);
    expect(result).toMatchObject({ land: names(16), convicted: [], left: [], flaky: [] });
  });

  it.each([1, 2, 3, 5, 8, 16, 33, 64])(
    "C4.7 C4.11 one culprit of %i costs at most 2*ceil(log2 n)+1 more trials, wherever it stands",
    (size) => {
      for (const culprit of names(size)) {
        const { result, trials } = judged(names(size), badly([culprit]));
        expect(result.convicted).toEqual([
          {
            member: culprit,
            as: "rejected",
            evidence: [{ gate: "tests", signals: [culprit] }],
            together: [],
          },
        ]);
        expect(result.land).toEqual(names(size).filter((one) => one !== culprit));
        const ofMerges = trials.filter(({ members }) => members.length > 0);
        expect(ofMerges.length - 1).toBeLessThanOrEqual(mostExtraTrials(size));
      }
    },
  );

  it("C4.11 a pair that fails only together: the later one is charged, with what it fails with", () => {
    const pair = (members: readonly string[]) =>
      members.includes("c3") && members.includes("c6") ? failed("both") : passed;
    const { result, trials } = judged(names(8), pair);
    expect(result.convicted).toMatchObject([
      { member: "c6", as: "rejected", together: ["c1", "c2", "c3", "c4", "c5"] },
    ]);
    expect(result.land).toEqual(["c1", "c2", "c3", "c4", "c5", "c7", "c8"]);
    expect(trials.length - 1).toBeLessThanOrEqual(mostExtraTrials(8));
  });

  it("C4.11 case C34 a failure that does not come back convicts nobody, and what passed at last lands", () => {
    const { result, trials } = judged(names(4), (_, nth) => (nth === 0 ? failed("flaky") : passed));
    expect(result).toMatchObject({
      land: names(4),
      convicted: [],
      flaky: [{ gate: "tests", signals: ["flaky"] }],
    });
    const tested = trials.filter(({ members }) => members.length === 4);
    expect(tested.at(-1)?.verdict).toEqual(passed);
  });

  it("C4.11 case C34 when the base fails as well nobody is convicted, and the batch is given up for now", () => {
    const { result, trials } = judged(names(4), () => failed("the database is away"));
    expect(result).toMatchObject({ land: [], convicted: [], left: names(4) });
    expect(result.flaky).toHaveLength(mostFlakes);
    expect(trials.filter(({ members }) => members.length === 0)).toHaveLength(mostFlakes);
  });

  it("C4.11 what fails with all that lands before it is charged; what flickers too often leaves the rest queued", () => {
    const always = judged(names(4), ({ length }) => (length === 4 ? failed("whole") : passed));
    expect(always.result).toMatchObject({
      land: ["c1", "c2", "c3"],
      convicted: [{ member: "c4", together: ["c1", "c2", "c3"] }],
    });
    const seen = new Set<string>();
    const flickering = judged(names(8), (members) => {
      const first = !seen.has(members.join());
      seen.add(members.join());
      const { length } = members;
      return length === 8 || (first && [4, 6, 7].includes(length))
        ? failed("now and then")
        : passed;
    });
    expect(flickering.result).toMatchObject({ convicted: [], land: names(7), left: ["c8"] });
  });

  it("C4.4 C4.11 a candidate whose gate cannot be read is refused, not rejected", () => {
    const unreadable: Verdict = {
      is: "unreadable",
      evidence: [{ gate: "tests", signals: ["pytest ended with 2"] }],
    };
    const { result } = judged(names(4), (members) =>
      members.includes("c2") ? unreadable : passed,
    );
    expect(result.convicted).toMatchObject([{ member: "c2", as: "refused" }]);
    expect(result.land).toEqual(["c1", "c3", "c4"]);
  });

  it("C4.2 a conflict within the batch defers, and does not charge; the others are tested without it", () => {
    const { result, trials } = judged(names(3), (members) =>
      members.includes("c1") && members.includes("c3")
        ? { is: "conflict", member: "c3", paths: ["a.txt"], alone: false }
        : passed,
    );
    expect(result).toMatchObject({
      land: ["c1", "c2"],
      deferred: [{ member: "c3", paths: ["a.txt"] }],
      convicted: [],
      left: [],
    });
    expect(trials.at(-1)).toMatchObject({ members: ["c1", "c2"], verdict: passed });
  });

  it("C4.2 a conflict with the base itself rejects, with the paths", () => {
    const { result } = judged(names(2), (members) =>
      members.includes("c1")
        ? { is: "conflict", member: "c1", paths: ["a.txt"], alone: true }
        : passed,
    );
    expect(result).toMatchObject({
      land: ["c2"],
      deferred: [],
      convicted: [
        { member: "c1", as: "rejected", evidence: [{ gate: "merge", signals: ["a.txt"] }] },
      ],
    });
    const none = judged(["c1"], () => ({
      is: "conflict",
      member: "c1",
      paths: ["a.txt"],
      alone: true,
    }));
    expect(none.result).toMatchObject({ land: [], left: [], convicted: [{ member: "c1" }] });
  });

  it("C4.3 without a baseline nothing is judged and nobody is charged", () => {
    const { result } = judged(names(3), () => ({ is: "undecidable", why: "no baseline of tests" }));
    expect(result).toMatchObject({
      land: [],
      convicted: [],
      left: names(3),
      undecidable: "no baseline of tests",
    });
  });
});
