import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  CheckEvidence,
  Job,
  RequiredReport,
  RunState,
} from "../../../src/core/recovery/evidence.js";
import {
  mostCancelledAttempts,
  recoverChecks,
  reruns,
  runsInQuestion,
  type Answer,
} from "../../../src/core/recovery/recover.js";
import { recoveryRefusals } from "../../../src/core/recovery/refusals.js";
import { cancelledTimes, evidence, head, job, report, run } from "./evidence.js";

const newer = run({ id: 101, number: 11, createdAt: "2026-03-01T12:05:00Z" });

const table: readonly (readonly [string, Answer | null, CheckEvidence])[] = [
  ["passed", null, evidence({ reports: [report({ state: "passed" })] })],
  ["cancelled once", "rerun", evidence()],
  ["never started: no runner took it", "rerun", evidence({ jobs: [job({ started: false })] })],
  ["never started: the run made no jobs", "rerun", evidence({ jobs: [] })],
  [
    "never reported, and one workflow was cancelled",
    "rerun",
    evidence({ reports: [report({ state: "absent", run: null })], jobs: [] }),
  ],
  [
    "never reported, and two workflows were cancelled",
    "no_run",
    evidence({
      reports: [report({ state: "absent", run: null })],
      runs: [run(), run({ id: 200, workflow: { id: 2, name: "Docs" } })],
      jobs: [],
    }),
  ],
  [
    "never reported, and nothing ran",
    "no_run",
    evidence({ reports: [report({ state: "absent", run: null })], runs: [], jobs: [] }),
  ],
  ["its run is not of this head", "no_run", evidence({ runs: [] })],
  ["cancelled, and the head moved", "head_moved", evidence({ head: "b".repeat(40) })],
  ["under way", "active", evidence({ reports: [report({ state: "in_progress" })] })],
  ["waits for a runner", "enqueued", evidence({ reports: [report({ state: "queued" })] })],
  ["failed", "failed", evidence({ reports: [report({ state: "failed" })] })],
  [
    "cancelled by another app",
    "reported_elsewhere",
    evidence({ reports: [report({ run: null })] }),
  ],
  [
    "the newest attempt is under way",
    "active",
    evidence({ runs: [run({ attempt: 2, state: "in_progress" })] }),
  ],
  [
    "the newest attempt waits for a runner",
    "enqueued",
    evidence({ runs: [run({ attempt: 2, state: "queued" })] }),
  ],
  [
    "the newest attempt passed",
    "successful",
    evidence({ runs: [run({ attempt: 2, state: "passed" })] }),
  ],
  [
    "a newer run is under way",
    "superseded",
    evidence({ runs: [run(), { ...newer, state: "in_progress" }] }),
  ],
  ["a newer run waits", "superseded", evidence({ runs: [run(), { ...newer, state: "queued" }] })],
  ["a newer run passed", "superseded", evidence({ runs: [run(), { ...newer, state: "passed" }] })],
  ["a newer run failed", "superseded", evidence({ runs: [run(), { ...newer, state: "failed" }] })],
  [
    "a newer run was cancelled too",
    "rerun",
    evidence({ runs: [run(), newer], jobs: [job({ run: 101 })] }),
  ],
  [
    "a run of another workflow is newer",
    "rerun",
    evidence({ runs: [run(), { ...newer, workflow: { id: 2, name: "Docs" }, state: "passed" }] }),
  ],
  [
    "another job of the run failed",
    "failed",
    evidence({
      runs: [run({ state: "failed" })],
      jobs: [job(), job({ name: "lint", state: "failed" })],
    }),
  ],
  [
    "a job failed in an earlier attempt only",
    "rerun",
    evidence({
      runs: [run({ attempt: 2 })],
      jobs: [job({ name: "lint", state: "failed" }), job({ attempt: 2 })],
    }),
  ],
  [
    "its own job passed",
    "successful",
    evidence({ jobs: [job({ state: "passed" }), job({ name: "lint" })] }),
  ],
  ["its own job is under way", "active", evidence({ jobs: [job({ state: "in_progress" })] })],
  ["its own job waits", "enqueued", evidence({ jobs: [job({ state: "queued" })] })],
  [
    "the attempt has no job of its name",
    "no_job_evidence",
    evidence({ jobs: [job({ name: "lint" })] }),
  ],
  [
    "the run failed and shows no job",
    "no_job_evidence",
    evidence({ runs: [run({ state: "failed" })], jobs: [] }),
  ],
  ["cancelled twice", "rerun", cancelledTimes(2)],
  ["cancelled three times", "cancelled_too_often", cancelledTimes(3)],
  [
    "cancelled three times without a job",
    "cancelled_too_often",
    evidence({ runs: [run({ attempt: 3 })], jobs: [] }),
  ],
  ["at its time limit once", "rerun", cancelledTimes(1, "time_limit")],
  ["at its time limit again", "time_limit_repeated", cancelledTimes(2, "time_limit")],
];

describe("what becomes of a required check that did not pass", () => {
  it.each(table)("A8.2 A8.4 A16.5 %s: %s", (_title, expected, seen) => {
    expect(recoverChecks(seen, head).map(({ answer }) => answer)).toEqual(
      expected === null ? [] : [expected],
    );
  });

  it("A8.2 every answer is reached", () => {
    const all: Readonly<Record<Answer, true>> = {
      rerun: true,
      head_moved: true,
      active: true,
      enqueued: true,
      successful: true,
      superseded: true,
      failed: true,
      reported_elsewhere: true,
      no_run: true,
      no_job_evidence: true,
      time_limit_repeated: true,
      cancelled_too_often: true,
    };
    expect(new Set(table.flatMap(([, answer]) => answer ?? []))).toEqual(new Set(Object.keys(all)));
  });

  it("A8.3 two checks of one run ask for one rerun, and those of two runs for two", () => {
    const two = [report(), report({ name: "lint" })];
    const jobs = [job(), job({ name: "lint" })];
    const same = recoverChecks(evidence({ reports: two, jobs }), head);
    expect(same.map(({ answer }) => answer)).toEqual(["rerun", "rerun"]);
    expect(reruns(same).map((one) => one.run.id)).toEqual([100]);
    const docs = run({ id: 200, workflow: { id: 2, name: "Docs" } });
    const apart = evidence({
      reports: [report(), report({ name: "docs", run: 200 })],
      runs: [run(), docs],
      jobs: [job(), job({ run: 200, name: "docs" })],
    });
    expect(reruns(recoverChecks(apart, head)).map((one) => one.run.id)).toEqual([100, 200]);
    expect(runsInQuestion(apart.reports, apart.runs).map(({ id }) => id)).toEqual([100, 200]);
  });

  it("A8.4 the refusal names the run, its cancellations, and what to do before a fresh attempt", () => {
    const [refusal] = recoveryRefusals("YOK-7", recoverChecks(cancelledTimes(3, "by_hand"), head));
    expect(refusal).toMatchObject({ code: "cancelled_attempts_exhausted", exit: 2 });
    expect(refusal?.message).toContain("by hand; by hand; by hand");
    expect(refusal?.next).toContain("Inspect the job annotations at https://github.test/");
    expect(refusal?.next).toContain("workflow_dispatch");
    const limit = recoveryRefusals("YOK-7", recoverChecks(cancelledTimes(2, "time_limit"), head));
    expect(limit).toMatchObject([{ code: "job_time_limit_repeated" }]);
    expect(recoveryRefusals("YOK-7", recoverChecks(evidence(), head))).toEqual([]);
  });

  it("case A17 runs that cancel each other in one concurrency group end as a fault of the workflow", () => {
    const [answer] = recoverChecks(cancelledTimes(3, "concurrency"), head);
    expect(answer).toMatchObject({ answer: "cancelled_too_often", cause: "concurrency" });
    expect(answer?.why).toContain("another run of the same concurrency group");
  });

  it("A8.2 A8.3 A8.4 whatever the evidence, only a cancelled newest attempt of this head is rerun", () => {
    const states: readonly RunState[] = ["queued", "in_progress", "passed", "failed", "cancelled"];
    const anyState = fc.constantFrom(...states);
    const anyReport: fc.Arbitrary<RequiredReport> = fc
      .record({
        state: fc.constantFrom<RequiredReport["state"]>(
          "cancelled",
          "absent",
          "never_started",
          "passed",
          "failed",
        ),
        run: fc.constantFrom(100, 101, 102, null),
      })
      .map((changes) => report(changes));
    const anyJob: fc.Arbitrary<Job> = fc
      .record({
        run: fc.constantFrom(100, 101, 102),
        attempt: fc.integer({ min: 1, max: 4 }),
        name: fc.constantFrom("ci", "lint"),
        state: anyState,
        says: fc.constantFrom(
          "concurrency" as const,
          "time_limit" as const,
          "by_hand" as const,
          null,
        ),
      })
      .map((changes) => job(changes));
    const anyRuns = fc.tuple(
      ...[100, 101, 102].map((id) =>
        fc
          .record({
            state: anyState,
            attempt: fc.integer({ min: 1, max: 4 }),
            workflow: fc.constantFrom(1, 2),
          })
          .map(({ workflow, ...given }) =>
            run({ id, number: id, workflow: { id: workflow, name: "CI" }, ...given }),
          ),
      ),
    );
    fc.assert(
      fc.property(
        anyReport,
        anyRuns,
        fc.array(anyJob, { maxLength: 12 }),
        fc.boolean(),
        (one, runs, jobs, moved) => {
          const seen = { head: moved ? "b".repeat(40) : head, reports: [one], runs, jobs };
          for (const { run: asked } of reruns(recoverChecks(seen, head))) {
            const found = runs.find(({ id }) => id === asked.id);
            expect(seen.head).toBe(head);
            expect(found).toMatchObject({ state: "cancelled", attempt: asked.attempt });
            const newest = runs.filter((other) => other.workflow.id === found?.workflow.id).at(-1);
            expect(newest?.id).toBe(asked.id);
            const cancelled = new Set(
              jobs
                .filter(
                  (at) =>
                    at.run === asked.id && at.state === "cancelled" && at.attempt <= asked.attempt,
                )
                .map(({ attempt }) => attempt),
            );
            expect(cancelled.size).toBeLessThan(mostCancelledAttempts);
          }
        },
      ),
    );
  });
});
