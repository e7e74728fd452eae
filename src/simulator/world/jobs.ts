/** One job of a workflow run: made, started by the runner, concluded by the clock or the admin API. */
import { timestampOf } from "../clock.js";
import { announceJob } from "./announce-check.js";
import { addCheckRun, completed, runById as checkRunById } from "./checks.js";
import type { Engine } from "./engine.js";
import type {
  CheckConclusion,
  CheckSuite,
  Job,
  JobScript,
  Repository,
  WorkflowRun,
} from "./model.js";
import { linksOf } from "./payloads/links.js";
import { notFound, Refusal } from "./refusal.js";
import type { RepositoryState } from "./state.js";

export interface HeldJob {
  readonly repository: Repository;
  readonly run: WorkflowRun;
  readonly job: Job;
}

const RUNNER = "GitHub Actions 1";

export function held(engine: Engine, repository?: Repository): HeldJob[] {
  return engine.state.repositories
    .filter(
      (state) =>
        !state.repository.deleted &&
        (repository === undefined || state.repository.id === repository.id),
    )
    .flatMap((state) =>
      state.workflowRuns.flatMap((run) =>
        run.jobs
          .filter((job) => job.status !== "completed" && isHeld(job))
          .map((job) => ({ repository: state.repository, run, job })),
      ),
    );
}

function isHeld(job: Job): boolean {
  return job.outcome === "hold" || job.outcome === "never";
}

/** Adds a job with its check run to the current attempt of a run. */
export async function addJob(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  suite: CheckSuite,
  script: JobScript,
): Promise<void> {
  const id = engine.nextId();
  const outcome =
    run.event === "merge_group" ? (script.onMergeGroup ?? script.outcome) : script.outcome;
  const instant = outcome === "instant";
  const now = engine.stamp();
  const job: Job = {
    id,
    runId: run.id,
    attempt: run.attempt,
    name: script.name,
    status: instant ? "completed" : "queued",
    conclusion: instant ? "success" : null,
    startedAt: instant ? now : null,
    completedAt: instant ? now : null,
    checkRunId: 0,
    runnerName: instant ? RUNNER : null,
    annotations: [...(script.annotations ?? [])],
    outcome,
    duration: script.duration,
    concludesAt: null,
  };
  run.jobs.push(job);
  await announceJob(engine, state, run, job, "queued");
  const check = await addCheckRun(engine, state, suite, {
    name: script.name,
    jobId: id,
    detailsUrl: `${linksOf(engine, state.repository).html}/actions/runs/${run.id}/job/${id}`,
    ...(instant ? { conclusion: "success" as const } : {}),
  });
  job.checkRunId = check.id;
}

/** A runner takes a queued job, unless it is scripted to find none. True when it did. */
export async function start(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  job: Job,
): Promise<boolean> {
  if (job.status !== "queued" || job.outcome === "never") return false;
  job.status = "in_progress";
  job.startedAt = engine.stamp();
  job.runnerName = RUNNER;
  if (!isHeld(job)) job.concludesAt = timestampOf(engine.now() + job.duration);
  const check = checkRunById(state, job.checkRunId);
  if (check !== null) {
    check.status = "in_progress";
    check.startedAt = job.startedAt;
  }
  await announceJob(engine, state, run, job, "in_progress");
  return true;
}

export async function conclude(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  job: Job,
  conclusion: CheckConclusion,
): Promise<void> {
  const now = engine.stamp();
  job.status = "completed";
  job.conclusion = conclusion;
  job.startedAt ??= now;
  job.completedAt = now;
  job.concludesAt = null;
  await announceJob(engine, state, run, job, "completed");
  const check = checkRunById(state, job.checkRunId);
  if (check === null) return;
  check.status = "completed";
  check.conclusion = conclusion;
  check.startedAt ??= now;
  check.completedAt = now;
  if (conclusion !== "success") check.annotations = [...job.annotations];
  await completed(engine, state, check);
}

/** What the script says a job ends with. */
export function scriptedConclusion(job: Job): CheckConclusion {
  if (job.outcome === "fail") return "failure";
  if (job.outcome === "cancel") return "cancelled";
  if (typeof job.outcome === "object")
    return job.attempt <= job.outcome.flaky ? "failure" : "success";
  return "success";
}

/** @throws Refusal for an unknown job, or one that has ended. */
export async function release(
  engine: Engine,
  jobId: number,
  conclusion: "pass" | "fail" | "cancel",
): Promise<Job> {
  const found = held(engine).find(({ job }) => job.id === jobId);
  if (found === undefined) {
    const known = engine.state.repositories.some((state) =>
      state.workflowRuns.some((run) => run.jobs.some((job) => job.id === jobId)),
    );
    if (known) throw new Refusal("CONFLICT", `Job ${jobId} is not held.`);
    throw notFound(`a job with the id ${jobId}`);
  }
  const words = { pass: "success", fail: "failure", cancel: "cancelled" } as const;
  const state = engine.repositoryState(found.repository);
  await conclude(engine, state, found.run, found.job, words[conclusion]);
  return found.job;
}
