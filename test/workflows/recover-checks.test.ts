import { describe, expect, it } from "vitest";
import { findReservation, reserve } from "../../db/reservations.js";
import type { CheckEvidence } from "../../src/core/recovery/evidence.js";
import { cancelledTimes, evidence, job, report, run } from "../core/recovery/evidence.js";
import { down, lost } from "./scripted-github.js";
import { stage, type Stage } from "./stage.js";

/** Armed and not in the queue, with `seen` of its head. */
async function armed(seen: CheckEvidence = evidence()): Promise<Stage> {
  const on = await stage();
  expect(await on.merge()).toMatchObject({ ok: true, exit: 9, output: { checks: [] } });
  on.github.checks = seen;
  return on;
}

const key = (on: Stage, attempt = 1) => ({ key: `rerun:${on.project}:100:${attempt}` });
const state = async (on: Stage) => (await findReservation(on.context.db, key(on)))?.state ?? null;

describe("recovery of required checks", () => {
  it("A8.1 A8.3 an armed landing is not armed again: its cancelled check is rerun, once", async () => {
    const on = await armed();
    const first = await on.merge();
    expect(first).toMatchObject({
      ok: true,
      exit: 9,
      output: { outcome: "landing_pending", checks: [{ check: "ci", answer: "rerun" }] },
    });
    expect(await on.merge()).toMatchObject({ output: { checks: [{ answer: "enqueued" }] } });
    expect(on.github.count("rerunWorkflow")).toBe(1);
    expect(on.github.count("enableAutoMerge") + on.github.count("enqueue")).toBe(1);
    expect(await state(on)).toBe("completed");
  });

  it("A8.3 of two entries at once one reruns", async () => {
    const on = await armed();
    const both = await Promise.all([on.merge(), on.merge()]);
    expect(both.map(({ exit }) => exit)).toEqual([9, 9]);
    expect(on.github.count("rerunWorkflow")).toBe(1);
  });

  it("A8.1 a governed retry of a stopped landing arms it, and reruns what was cancelled on its head", async () => {
    const on = await armed();
    on.github.change({ autoMerge: null });
    await on.upkeep();
    await expect.poll(() => on.phase(), { timeout: 20_000 }).toBe("stopped");
    expect(await on.merge()).toMatchObject({
      ok: true,
      exit: 9,
      output: { checks: [{ answer: "rerun" }] },
    });
    expect(on.github.count("rerunWorkflow")).toBe(1);
    expect(on.github.count("enableAutoMerge")).toBe(2);
  });

  it("A8.1 in the queue nothing is asked about the head", async () => {
    const on = await armed();
    await on.github.enqueue();
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9, output: { checks: [] } });
    expect(on.github.count("headChecks")).toBe(0);
  });

  it("A8.3 a refused rerun releases its reservation and says why; the next entry sends it", async () => {
    const on = await armed();
    const message = "This workflow run cannot be retried";
    on.github.fail("rerunWorkflow", "before", { kind: "no_access", status: 403, message });
    expect(await on.merge()).toMatchObject({
      ok: false,
      exit: 2,
      refusals: [{ code: "rerun_refused", message }],
    });
    expect(await state(on)).toBe("released");
    expect(await on.phase()).toBe("pending");
    expect(await on.merge()).toMatchObject({ ok: true, output: { checks: [{ answer: "rerun" }] } });
    expect(await state(on)).toBe("completed");
  });

  it("A8.3 case A31 a lost reply is uncertain, and whether or not it took effect it is never sent again", async () => {
    const before = await armed();
    before.github.fail("rerunWorkflow", "before", lost);
    const uncertain = { ok: false, exit: 3, refusals: [{ code: "rerun_uncertain" }] };
    expect(await before.merge()).toMatchObject(uncertain);
    expect(await before.merge()).toMatchObject(uncertain);
    expect(before.github.count("rerunWorkflow")).toBe(1);
    expect(await state(before)).toBe("uncertain");

    const after = await armed();
    after.github.fail("rerunWorkflow", "after", lost);
    expect(await after.merge()).toMatchObject(uncertain);
    expect(await after.merge()).toMatchObject({
      exit: 9,
      output: { checks: [{ answer: "enqueued" }] },
    });
    expect(after.github.count("rerunWorkflow")).toBe(1);
  });

  it("A8.3 whoever died after reserving leaves an attempt that nobody reruns blindly", async () => {
    const on = await armed();
    const at = new Date().toISOString();
    await reserve(on.context.db, { ...key(on), item: on.item, kind: "rerun", detail: "ci", at });
    expect(await on.merge()).toMatchObject({ exit: 3, refusals: [{ code: "rerun_uncertain" }] });
    expect(on.github.count("rerunWorkflow")).toBe(0);
    // Somebody reran it by hand, and that was cancelled: another attempt, another reservation.
    on.github.checks = cancelledTimes(2);
    expect(await on.merge()).toMatchObject({ exit: 9, output: { checks: [{ answer: "rerun" }] } });
    expect(await findReservation(on.context.db, key(on, 2))).toMatchObject({ state: "completed" });
  });

  it("A8.3 case E09 whoever died after the rerun was accepted leaves no request behind that stays reserved", async () => {
    const on = await armed(evidence({ runs: [run({ attempt: 2, state: "in_progress" })] }));
    const at = new Date().toISOString();
    await reserve(on.context.db, { ...key(on), item: on.item, kind: "rerun", detail: "ci", at });
    expect(await on.merge()).toMatchObject({ exit: 9, output: { checks: [{ answer: "active" }] } });
    expect(on.github.count("rerunWorkflow")).toBe(0);
    expect(await state(on)).toBe("uncertain");
  });

  it("A8.4 after three cancelled attempts no rerun is sent, and the landing stays as it is", async () => {
    const on = await armed(cancelledTimes(3));
    expect(await on.merge()).toMatchObject({
      ok: false,
      exit: 2,
      refusals: [{ code: "cancelled_attempts_exhausted" }],
    });
    expect(on.github.count("rerunWorkflow")).toBe(0);
    expect(await on.phase()).toBe("pending");
    on.github.checks = cancelledTimes(2, "time_limit");
    expect(await on.merge()).toMatchObject({ refusals: [{ code: "job_time_limit_repeated" }] });
    expect(on.github.count("rerunWorkflow")).toBe(0);
  });

  it("A8.2 each protected attempt has an answer of its own, and none is rerun; its twin is", async () => {
    const on = await armed();
    const newer = run({ id: 101, number: 11, state: "passed" });
    const seen: readonly (readonly [string, CheckEvidence])[] = [
      ["active", evidence({ runs: [run({ attempt: 2, state: "in_progress" })] })],
      ["enqueued", evidence({ runs: [run({ attempt: 2, state: "queued" })] })],
      ["successful", evidence({ runs: [run({ attempt: 2, state: "passed" })] })],
      ["superseded", evidence({ runs: [run(), newer] })],
      ["failed", evidence({ reports: [report({ state: "failed" })] })],
      ["no_job_evidence", evidence({ jobs: [job({ name: "lint" })] })],
    ];
    for (const [answer, checks] of seen) {
      on.github.checks = checks;
      expect(await on.merge()).toMatchObject({ exit: 9, output: { checks: [{ answer }] } });
    }
    expect(on.github.count("rerunWorkflow")).toBe(0);
    on.github.checks = evidence();
    expect(await on.merge()).toMatchObject({ output: { checks: [{ answer: "rerun" }] } });
    expect(on.github.count("rerunWorkflow")).toBe(1);
  });

  it("A8.2 evidence that cannot be read reruns nothing, and the landing is as pending as it was", async () => {
    const on = await armed();
    for (let time = 0; time < 3; time += 1) on.github.fail("headChecks", "before", down);
    const answer = await on.merge();
    expect(answer).toMatchObject({ ok: true, exit: 9, output: { checks: [] } });
    expect(JSON.stringify(answer)).toContain("its required checks could not be read: 502");
    expect(on.github.count("rerunWorkflow")).toBe(0);
  });
});
