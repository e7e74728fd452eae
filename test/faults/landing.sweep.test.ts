/**
 * The sweep over one landing: every external call of the untouched story fails, one at a time, in every way that means
 * something for it. Prints its table.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepTemporalRuntime } from "../setup/temporal-runtime.js";
import { landing } from "./landing-story.js";
import { callFaults, type Party } from "./step.js";
import { Sweep } from "./sweep.js";
import { runSwept, type Run } from "./swept-run.js";

const longest = 15 * 60_000;

describe("the fault sweep over one landing", () => {
  const sweep = Sweep.over(landing);
  let untouched: Run;
  keepTemporalRuntime();

  beforeAll(async () => {
    untouched = await runSwept(landing, null);
  }, longest);

  afterAll(async () => {
    await sweep.end();
  });

  const sweptBy = (wanted: Party) =>
    sweep.of(
      untouched.steps.filter(({ party }) => party === wanted),
      callFaults,
    );

  it("A1.1 A11.1 A11.4 the story passes untouched, and its notice comes once", () => {
    expect(untouched.wrong).toEqual([]);
    expect(untouched.refusals).toEqual([]);
    expect(untouched.repeats).toBe(0);
  });

  it("A15.4 A1.1 A1.3 case E09 every request to GitHub", { timeout: longest }, async () => {
    expect(await sweptBy("GitHub")).toEqual([]);
  });

  it("A15.4 A11.1 case E09 every write to Postgres", { timeout: longest }, async () => {
    expect(await sweptBy("Postgres")).toEqual([]);
  });

  it("A15.4 A4.6 A6.1 every notice to the holder", { timeout: longest }, async () => {
    expect(await sweptBy("holder")).toEqual([]);
  });

  it("A15.4 A11.4 every git command that changes something", { timeout: longest }, async () => {
    expect(await sweptBy("git")).toEqual([]);
  });
});
