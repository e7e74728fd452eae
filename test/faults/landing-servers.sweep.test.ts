/**
 * The same landing, with Temporal and Postgres killed before and after each of its external writes, and started again
 * on what they had stored. Prints its table.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepTemporalRuntime } from "../setup/temporal-runtime.js";
import { landing } from "./landing-story.js";
import { serverKills, type Party } from "./step.js";
import { Sweep } from "./sweep.js";
import { runSwept, type Run } from "./swept-run.js";

const longest = 20 * 60_000;

describe("SIGKILL of Temporal and of Postgres in one landing", () => {
  let sweep: Sweep;
  let untouched: Run;
  keepTemporalRuntime();

  beforeAll(async () => {
    untouched = await runSwept(landing, null);
    sweep = await Sweep.withServers(landing);
  }, longest);

  afterAll(async () => {
    await sweep.end();
  }, longest);

  const sweptBy = (wanted: Party) =>
    sweep.of(
      untouched.steps.filter(({ party, effect }) => party === wanted && effect),
      serverKills,
    );

  it("A15.4 case E04 around every write to GitHub", { timeout: longest }, async () => {
    expect(await sweptBy("GitHub")).toEqual([]);
  });

  it("A15.4 case E04 around every write to Postgres", { timeout: longest }, async () => {
    expect(await sweptBy("Postgres")).toEqual([]);
  });

  it("A15.4 case E04 around every notice to the holder", { timeout: longest }, async () => {
    expect(await sweptBy("holder")).toEqual([]);
  });

  it(
    "A15.4 case E04 around every git command that changes something",
    { timeout: longest },
    async () => {
      expect(await sweptBy("git")).toEqual([]);
    },
  );
});
