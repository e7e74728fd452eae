import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failed, judged, names, passed } from "./judge.js";

/** A batch, members that fail alone, pairs that fail together, conflicting pairs, and a seed of flakes. */
const worlds = fc.integer({ min: 1, max: 24 }).chain((size) => {
  const member = fc.constantFrom(...names(size));
  return fc.record({
    batch: fc.constant(names(size)),
    bad: fc.uniqueArray(member, { maxLength: 4 }),
    pairs: fc.array(fc.tuple(member, member), { maxLength: 2 }),
    conflicts: fc.array(fc.tuple(member, member), { maxLength: 2 }),
    flakes: fc.infiniteStream(fc.integer({ min: 0, max: 99 })),
    chance: fc.constantFrom(0, 2, 8, 30),
  });
});

describe("any batch of the local queue", () => {
  it("C4.7 C4.11 lands only what passed as it is, in order, and accounts for every member once", () => {
    fc.assert(
      fc.property(worlds, ({ batch, bad, pairs, conflicts, flakes, chance }) => {
        const inBoth = (members: readonly string[]) => (pair: readonly [string, string]) =>
          pair[0] !== pair[1] && members.includes(pair[0]) && members.includes(pair[1]);
        const { result, trials } = judged(batch, (members) => {
          const clash = conflicts.find(inBoth(members));
          if (clash !== undefined) {
            const later = members.findLast((member) => clash.includes(member)) as string;
            return { is: "conflict", member: later, paths: ["a"], alone: false };
          }
          const wrong = [
            ...members.filter((member) => bad.includes(member)),
            ...pairs.filter(inBoth(members)).map((pair) => pair.join("+")),
          ];
          if (wrong.length > 0) return failed(...wrong);
          const { value: draw } = flakes.next();
          return (draw as number) < chance ? failed("flaky") : passed;
        });

        const tested = trials.filter(({ members }) => members.join() === result.land.join());
        expect(result.land.length === 0 || tested.at(-1)?.verdict === passed).toBe(true);
        const accounted = [
          ...result.land,
          ...result.left,
          ...result.convicted.map(({ member }) => member),
          ...result.deferred.map(({ member }) => member),
        ];
        expect([...accounted].sort()).toEqual([...batch].sort());
        expect(result.land).toEqual(batch.filter((member) => result.land.includes(member)));

        // Whoever is charged failed at least twice, and without it the gates passed once since the first time.
        for (const { member, together } of result.convicted) {
          const withIt = trials.flatMap((trial, index) =>
            trial.verdict.is === "failed" && trial.members.includes(member) ? [index] : [],
          );
          expect(withIt.length).toBeGreaterThanOrEqual(2);
          const since = trials.slice((withIt[0] as number) + 1);
          expect(
            since.some(({ members, verdict }) => verdict === passed && !members.includes(member)),
          ).toBe(true);
          const again = [...together, member].join();
          expect(
            trials.some((trial) => trial.members.join() === again && trial.verdict.is === "failed"),
          ).toBe(true);
        }
        const steady = chance === 0;
        const guilty = new Set([...bad, ...pairs.flat()]);
        expect(steady && result.flaky.length > 0).toBe(false);
        expect(steady && result.convicted.some(({ member }) => !guilty.has(member))).toBe(false);
        expect(steady && bad.some((member) => result.land.includes(member))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
