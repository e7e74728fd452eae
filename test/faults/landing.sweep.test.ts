/**
 * The sweep over one landing: every external call of the untouched story fails, one at a time, in every way that means
 * something for it. Prints its table.
 */
import { NativeConnection } from "@temporalio/worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testTemporal } from "../setup/temporal.js";
import { runLanding, type Run } from "./landing-run.js";
import { faultKinds, isMeaningful, type Party, type Planned, type Step } from "./step.js";
import { outcome, table, type Row } from "./table.js";

/** Worlds at once: a run mostly waits until somebody notices that a worker is gone. */
const atOnce = 6;
const longest = 15 * 60_000;

describe("the fault sweep over one landing", () => {
  let untouched: Run;
  const rows: Row[] = [];

  let runtime: NativeConnection;

  beforeAll(async () => {
    // The runtime in which histories are replayed ends with the last thing that uses it, also under another replay.
    const { address } = await testTemporal();
    runtime = await NativeConnection.connect({ address });
    untouched = await runLanding(null);
  }, longest);

  afterAll(async () => {
    await runtime.close();
    process.stdout.write(`\n${table(rows)}\n`);
  });

  /** Every fault at every step of one party; what did not land once and only once. */
  async function sweep(party: Party): Promise<string[]> {
    const plans = untouched.steps
      .filter((step) => step.party === party)
      .flatMap((step: Step) => faultKinds.map((kind): Planned => ({ step, kind })));
    expect(plans).not.toEqual([]);
    const swept: Row[] = plans.map((planned) => ({ planned, run: null }));
    const todo = [...plans.keys()].filter((at) => isMeaningful(plans[at] as Planned));
    const world = async () => {
      for (let at = todo.shift(); at !== undefined; at = todo.shift()) {
        const planned = plans[at] as Planned;
        swept[at] = { planned, run: await runLanding(planned) };
      }
    };
    // All of them end, also when one throws: each has processes of its own.
    const worlds = await Promise.allSettled(Array.from({ length: atOnce }, world));
    for (const one of worlds) if (one.status === "rejected") throw one.reason;
    rows.push(...swept);
    return swept
      .filter(({ run }) => run !== null)
      .map(outcome)
      .filter((words) => !words.startsWith("landed"));
  }

  it("A1.1 A11.1 A11.4 the story passes untouched, and its notice comes once", () => {
    expect(untouched.wrong).toEqual([]);
    expect(untouched.refusals).toEqual([]);
    expect(untouched.repeats).toBe(0);
  });

  it("A15.4 A1.1 A1.3 case E09 every request to GitHub", { timeout: longest }, async () => {
    expect(await sweep("GitHub")).toEqual([]);
  });

  it("A15.4 A11.1 case E09 every write to Postgres", { timeout: longest }, async () => {
    expect(await sweep("Postgres")).toEqual([]);
  });

  it("A15.4 A4.6 A6.1 every notice to the holder", { timeout: longest }, async () => {
    expect(await sweep("holder")).toEqual([]);
  });

  it("A15.4 A11.4 every git command that changes something", { timeout: longest }, async () => {
    expect(await sweep("git")).toEqual([]);
  });
});
