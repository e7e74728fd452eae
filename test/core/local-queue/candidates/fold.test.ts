import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldCandidates } from "../../../../src/core/local-queue/candidates/fold.js";
import {
  recordTime,
  type CandidateEvent,
  type Fragment,
} from "../../../../src/core/local-queue/candidates/fragment.js";

const oid = (letter: string) => letter.repeat(40);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const ends = { onto: oid("b"), commit: oid("c") };

function record(
  candidate: string,
  second: number,
  event: CandidateEvent,
  more: Partial<Fragment> = {},
): Fragment {
  return {
    schema: "yoke.merge-queue.fragment/1",
    writer: "w",
    sequence: second + 1,
    recordedAt: at(second),
    candidate,
    event,
    ...more,
  };
}

const enqueued = (branch: string): CandidateEvent => ({
  type: "enqueued",
  branch,
  head: oid("a"),
  base: "main",
  worktree: `/lanes/${branch}`,
  actor: "ada",
});
const withdrawn: CandidateEvent = { type: "withdrawn", actor: "ada", why: "not now" };
const charged: CandidateEvent = {
  type: "charged",
  as: "rejected",
  evidence: [{ gate: "tests", signals: ["t1"] }],
  together: [],
  onto: oid("b"),
};
const landing: CandidateEvent = { type: "landing", ...ends };
const landed: CandidateEvent = { type: "landed", ...ends };
const rolledBack: CandidateEvent = { type: "rolled_back", why: "the base moved" };
const pruned: CandidateEvent = { type: "pruned", removed: true, why: "" };
const events = [withdrawn, charged, landing, landed, rolledBack, pruned];

const states = (fragments: readonly Fragment[]) =>
  foldCandidates(fragments).map(({ id, state }) => [id, state]);

describe("candidates folded from their records", () => {
  it("C3.2 stand in the order they were enqueued, each in its last state", () => {
    const fragments = [
      record("one", 0, enqueued("z")),
      record("two", 1, enqueued("a")),
      record("one", 2, landing),
      record("two", 3, charged),
      record("one", 4, landed),
    ];
    expect(states(fragments)).toEqual([
      ["one", "landed"],
      ["two", "rejected"],
    ]);
    expect(foldCandidates(fragments)).toMatchObject([
      { branch: "z", since: at(4), landing: ends },
      { branch: "a", since: at(3), evidence: [{ gate: "tests", signals: ["t1"] }] },
    ]);
  });

  it("C3.4 one whose landing has begun is not withdrawn, and one that was withdrawn does not land", () => {
    const begun = [record("one", 0, enqueued("a")), record("one", 1, landing)];
    expect(states([...begun, record("one", 2, withdrawn)])).toEqual([["one", "landing"]]);
    const gone = [record("one", 0, enqueued("a")), record("one", 1, withdrawn)];
    expect(states([...gone, record("one", 2, landed)])).toEqual([["one", "withdrawn"]]);
  });

  it("C5.5 a landing that was rolled back waits again", () => {
    const fragments = [
      record("one", 0, enqueued("a")),
      record("one", 1, landing),
      record("one", 2, rolledBack),
    ];
    expect(foldCandidates(fragments)).toMatchObject([{ state: "queued", landing: null }]);
  });

  it("C3.2 the order of files, writers and candidates in a folder is none: the same state comes of any", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("one", "two"), fc.constantFrom(...events)), {
      maxLength: 12,
    });
    const shuffled = steps
      .map((taken) => [
        record("two", 0, enqueued("a")),
        record("one", 1, enqueued("z")),
        ...taken.map(([candidate, event], step) => record(candidate, step + 2, event)),
      ])
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        expect(foldCandidates(mixed)).toEqual(foldCandidates(all));
        expect(foldCandidates(mixed).map(({ id }) => id)).toEqual(["two", "one"]);
      }),
    );
  });

  it("C3.2 records of one moment count by their writer's sequence", () => {
    const moment = { recordedAt: at(5) };
    const fragments = [
      record("one", 0, landed, { ...moment, sequence: 3 }),
      record("one", 0, landing, { ...moment, sequence: 2 }),
      record("one", 0, enqueued("a"), { ...moment, sequence: 1 }),
    ];
    expect(states(fragments)).toEqual([["one", "landed"]]);
  });

  it("C3.2 a record does not precede what its writer had read, whatever its clock says", () => {
    expect(recordTime(at(9), null)).toBe(at(9));
    expect(recordTime(at(9), at(8))).toBe(at(9));
    expect(recordTime(at(3), at(8))).toBe("2026-01-01T00:00:08.001Z");
    expect(recordTime(at(8), at(8))).toBe("2026-01-01T00:00:08.001Z");
  });
});
