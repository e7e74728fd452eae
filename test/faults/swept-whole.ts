/** The tests of a sweep over every external call of a story, of whatever party. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepTemporalRuntime } from "../setup/temporal-runtime.js";
import { callFaults } from "./step.js";
import { Sweep } from "./sweep.js";
import { runSwept, type Run, type SweptStory } from "./swept-run.js";

const longest = 15 * 60_000;

/** `rows`: what the story proves. */
export function sweptWhole(what: string, rows: string, story: SweptStory): void {
  describe(`the fault sweep over ${what}`, () => {
    const sweep = Sweep.over(story);
    let untouched: Run;
    keepTemporalRuntime();

    beforeAll(async () => {
      untouched = await runSwept(story, null);
    }, longest);

    afterAll(async () => {
      await sweep.end();
    });

    it(`${rows} the story passes untouched`, () => {
      expect(untouched.wrong).toEqual([]);
      expect(untouched.refusals).toEqual([]);
      expect(untouched.repeats).toBe(0);
    });

    it(`A15.4 ${rows} every external call`, { timeout: longest }, async () => {
      expect(await sweep.of(untouched.steps, callFaults)).toEqual([]);
    });
  });
}
