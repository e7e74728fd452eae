/** Evidence for the tests of recovery: one required check `ci`, cancelled in the first attempt of its only run. */
import type {
  CheckEvidence,
  Job,
  RequiredReport,
  WorkflowRun,
} from "../../../src/core/recovery/evidence.js";

export const head = "a".repeat(40);

export function report(changes: Partial<RequiredReport> = {}): RequiredReport {
  return { name: "ci", app: 15368, state: "cancelled", url: null, run: 100, ...changes };
}

export function run(changes: Partial<WorkflowRun> = {}): WorkflowRun {
  return {
    id: 100,
    workflow: { id: 1, name: "CI" },
    number: 10,
    attempt: 1,
    state: "cancelled",
    event: "pull_request",
    branch: "yok-7",
    head,
    createdAt: "2026-03-01T12:00:00Z",
    url: "https://github.test/acme/shop/actions/runs/100",
    ...changes,
  };
}

export function job(changes: Partial<Job> = {}): Job {
  return {
    run: 100,
    attempt: 1,
    name: "ci",
    state: "cancelled",
    started: true,
    endedAt: "2026-03-01T12:10:00Z",
    says: null,
    ...changes,
  };
}

export function evidence(changes: Partial<CheckEvidence> = {}): CheckEvidence {
  return { head, reports: [report()], runs: [run()], jobs: [job()], ...changes };
}

/** `attempts` of one run, each with the job `ci` cancelled. */
export function cancelledTimes(attempts: number, says: Job["says"] = null): CheckEvidence {
  return evidence({
    runs: [run({ attempt: attempts })],
    jobs: Array.from({ length: attempts }, (_, at) => job({ attempt: at + 1, says })),
  });
}
