/**
 * What is to be done about each required check of an armed pull request that did not pass (A8): a rerun, or a named
 * answer why none is sent. One table; the first row that fits decides.
 */
import type { Observation } from "../landing/model.js";
import { ready } from "../landing/readiness.js";
import { cancelCause, causeInWords, type CancelCause } from "./cancelled.js";
import type { CheckEvidence, Job, RequiredReport, WorkflowRun } from "./evidence.js";

/** Cancelled attempts of one run before a person looks at it (A8.4). */
export const mostCancelledAttempts = 3;
/** Attempts that ended at their time limit before another one is pointless (A16.5). */
const mostTimeLimits = 2;

export type Answer =
  /** Cancelled or never started, and a rerun can cure it. */
  | "rerun"
  /** Another commit is the head now: nothing here speaks of the candidate. */
  | "head_moved"
  /** An attempt is under way, or waits for a runner. */
  | "active"
  | "enqueued"
  /** The newest attempt passed; GitHub has yet to count it. */
  | "successful"
  /** A newer run of the workflow at this head took its place. */
  | "superseded"
  /** A failure belongs to the item. */
  | "failed"
  /** Not reported by Actions: there is nothing to rerun. */
  | "reported_elsewhere"
  /** No run of this head can be told to report it. */
  | "no_run"
  /** The newest attempt has no job of that name. */
  | "no_job_evidence"
  | "time_limit_repeated"
  | "cancelled_too_often";

/** A run of which another attempt is to be asked for. */
export type Rerun = CheckAnswer & { readonly run: NonNullable<CheckAnswer["run"]> };

export interface CheckAnswer {
  readonly check: string;
  readonly answer: Answer;
  readonly why: string;
  readonly url: string | null;
  /** The attempt it speaks of; null: none. */
  readonly run: { readonly id: number; readonly attempt: number; readonly workflow: string } | null;
  readonly cause: CancelCause | null;
}

/**
 * Whether the checks of a pending landing are worth a reading: armed, not in the queue, and GitHub waits for something.
 * A re-entry always asks; whoever armed it just now asks when something is known to have failed, or tries again.
 */
export function mayRecover(seen: Observation, armedNow: boolean, episode: number): boolean {
  if (seen.state !== "OPEN" || seen.autoMerge === null || seen.queue.read !== "none") return false;
  if (ready(seen)) return false;
  if (!armedNow) return true;
  return seen.checks === undefined ? episode > 1 : seen.checks.head.failed > 0;
}

/** One answer for each required check that did not pass, in the order of the reports. */
export function recoverChecks(evidence: CheckEvidence, candidate: string): readonly CheckAnswer[] {
  return evidence.reports
    .filter(({ state }) => state !== "passed")
    .map((report) => {
      if (evidence.head !== candidate) {
        return plain(
          report,
          "head_moved",
          `the head is ${evidence.head}, the candidate ${candidate}`,
        );
      }
      return withoutRun(report) ?? ofRun(report, evidence);
    });
}

/** The runs to rerun, each once however many checks it reports. */
export function reruns(answers: readonly CheckAnswer[]): readonly Rerun[] {
  const wanted = new Map<number, Rerun>();
  for (const answer of answers) {
    const { run } = answer;
    if (answer.answer === "rerun" && run !== null && !wanted.has(run.id)) {
      wanted.set(run.id, { ...answer, run });
    }
  }
  return [...wanted.values()];
}

/** The runs whose jobs must be read before anything is decided. */
export function runsInQuestion(
  reports: readonly RequiredReport[],
  runs: readonly WorkflowRun[],
): readonly WorkflowRun[] {
  const found = reports
    .filter((report) => report.state !== "passed" && withoutRun(report) === null)
    .flatMap((report) => runOf(report, runs) ?? []);
  return [...new Set(found)];
}

/** Answers that need no workflow run. */
function withoutRun(report: RequiredReport): CheckAnswer | null {
  switch (report.state) {
    case "in_progress":
      return plain(report, "active", "it is under way");
    case "queued":
      return plain(report, "enqueued", "it waits for a runner");
    case "failed":
      return plain(report, "failed", "it failed; a failure belongs to the item");
    case "cancelled":
    case "never_started":
      return report.run === null
        ? plain(report, "reported_elsewhere", "whoever reports it must be asked to report again")
        : null;
    case "passed":
    case "absent":
      return null;
  }
}

/**
 * The newest run of the workflow that reports the check. A check that was never reported has a run only when exactly
 * one workflow of this head was cancelled: then its jobs did not come to be.
 */
function runOf(report: RequiredReport, runs: readonly WorkflowRun[]): WorkflowRun | null {
  const newest = (workflow: number | undefined) =>
    runs
      .filter((run) => run.workflow.id === workflow)
      .sort((a, b) => b.number - a.number)
      .at(0) ?? null;
  if (report.run !== null) return newest(runs.find(({ id }) => id === report.run)?.workflow.id);
  const workflows = [...new Set(runs.map(({ workflow }) => workflow.id))];
  const ended = workflows.flatMap((workflow) => {
    const run = newest(workflow);
    return run?.state === "cancelled" ? [run] : [];
  });
  return ended.length === 1 ? (ended[0] ?? null) : null;
}

function ofRun(report: RequiredReport, evidence: CheckEvidence): CheckAnswer {
  const run = runOf(report, evidence.runs);
  if (run === null) {
    return plain(
      report,
      "no_run",
      "no workflow run of this commit can be told to report it; a push or a `workflow_dispatch` starts one",
    );
  }
  const say = (answer: Answer, why: string, cause: CancelCause | null = null): CheckAnswer => ({
    check: report.name,
    answer,
    why,
    url: run.url,
    run: { id: run.id, attempt: run.attempt, workflow: run.workflow.name },
    cause,
  });
  const named = `run ${run.id} of ${run.workflow.name}`;
  if (report.run !== null && report.run !== run.id && run.state !== "cancelled") {
    return say("superseded", `${named} took its place and ${stateInWords[run.state]}`);
  }
  switch (run.state) {
    case "in_progress":
      return say("active", `attempt ${run.attempt} of ${named} is under way`);
    case "queued":
      return say("enqueued", `attempt ${run.attempt} of ${named} waits for a runner`);
    case "passed":
      return say("successful", `attempt ${run.attempt} of ${named} passed`);
    case "failed":
    case "cancelled":
      return ended(report, run, evidence, say);
  }
}

const stateInWords: Readonly<Record<WorkflowRun["state"], string>> = {
  in_progress: "is under way",
  queued: "waits for a runner",
  passed: "passed",
  failed: "failed",
  cancelled: "was cancelled",
};

/** An ended attempt, by its jobs. */
function ended(
  report: RequiredReport,
  run: WorkflowRun,
  evidence: CheckEvidence,
  say: (answer: Answer, why: string, cause?: CancelCause) => CheckAnswer,
): CheckAnswer {
  const jobs = evidence.jobs.filter((job) => job.run === run.id);
  const attempts = byAttempt(run, jobs);
  const newest = attempts.at(-1) ?? [];
  const failed = newest.filter(({ state }) => state === "failed").map(({ name }) => name);
  if (failed.length > 0) {
    return say(
      "failed",
      `${failed.join(", ")} failed in the same run; a failure belongs to the item`,
    );
  }
  const own = newest.find(({ name }) => name === report.name);
  if (own?.state === "passed") return say("successful", `its job passed in attempt ${run.attempt}`);
  if (own?.state === "in_progress") return say("active", "its job is under way");
  if (own?.state === "queued") return say("enqueued", "its job waits for a runner");
  const unseen = own === undefined && newest.length > 0 && report.state !== "absent";
  if (unseen || run.state === "failed") {
    return say(
      "no_job_evidence",
      `attempt ${run.attempt} shows no job ${report.name} that a rerun would cure`,
    );
  }
  const cancelled = attempts.filter(wasCancelled);
  const causes = cancelled.map((attempt) => cancelCause(run, attempt, evidence.runs));
  const cause = causes.at(-1) ?? "unknown";
  const how = `attempt ${run.attempt} was cancelled ${causeInWords[cause]}`;
  if (causes.filter((one) => one === "time_limit").length >= mostTimeLimits) {
    return say("time_limit_repeated", `${how}, as one before it was`, cause);
  }
  if (cancelled.length >= mostCancelledAttempts) {
    const all = causes.map((one) => causeInWords[one]).join("; ");
    return say("cancelled_too_often", `${cancelled.length} attempts were cancelled: ${all}`, cause);
  }
  return say("rerun", how, cause);
}

/** An attempt without any job never began. */
function wasCancelled(attempt: readonly Job[]): boolean {
  return attempt.length === 0 || attempt.some(({ state }) => state === "cancelled");
}

function byAttempt(run: WorkflowRun, jobs: readonly Job[]): readonly (readonly Job[])[] {
  return Array.from({ length: run.attempt }, (_, at) =>
    jobs.filter(({ attempt }) => attempt === at + 1),
  );
}

function plain(report: RequiredReport, answer: Answer, why: string): CheckAnswer {
  return { check: report.name, answer, why, url: report.url, run: null, cause: null };
}
