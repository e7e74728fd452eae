/** Workflow runs, their attempts and jobs. */
import { Refusal } from "../../world/refusal.js";
import { worstConclusion } from "../../world/suite.js";
import type { Job, WorkflowRun } from "../../world/model.js";
import { simpleCommit } from "../../world/payloads/commit.js";
import { jobPayload, workflowRunPayload } from "../../world/payloads/workflow.js";
import { type Answer, json } from "../http/answer.js";
import type { RestCall } from "./call.js";
import { requireCommit } from "./commit-payloads.js";
import { counted } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

/** A listing with filters ends here (github-facts 2.5). */
const MOST_RESULTS = 1000;

export const runRoutes = [
  reading("/actions/runs", "actions", (call) => listRuns(call, () => true)),
  reading("/actions/runs/{run_id}", "actions", async (call) =>
    json(200, await runPayload(call, requireRun(call))),
  ),
  reading("/actions/runs/{run_id}/attempts/{attempt_number}", "actions", async (call) => {
    const run = requireRun(call);
    return json(200, await runPayload(call, attemptOf(run, call.id("attempt_number"))));
  }),
  reading("/actions/runs/{run_id}/attempts/{attempt_number}/jobs", "actions", (call) => {
    const run = requireRun(call);
    const { attempt } = attemptOf(run, call.id("attempt_number"));
    return listJobs(call, run, (job) => job.attempt === attempt);
  }),
  reading("/actions/runs/{run_id}/jobs", "actions", (call) => {
    const run = requireRun(call);
    const all = call.query.get("filter") === "all";
    return listJobs(call, run, (job) => all || job.attempt === run.attempt);
  }),
  reading("/actions/jobs/{job_id}", "actions", (call) => {
    const { run, job } = requireJob(call);
    return json(200, jobPayload(call.world.insides, call.state, run, job));
  }),
  writing("POST", "/actions/runs/{run_id}/rerun", "actions", (call) => rerun(call, "all")),
  writing("POST", "/actions/runs/{run_id}/rerun-failed-jobs", "actions", (call) =>
    rerun(call, "failed"),
  ),
  writing("POST", "/actions/jobs/{job_id}/rerun", "actions", async (call) => {
    const { run, job } = requireJob(call);
    await call.world.rerun(call.repository, run.id, { jobId: job.id });
    return json(201, {});
  }),
  writing("POST", "/actions/runs/{run_id}/cancel", "actions", cancel),
  writing("POST", "/actions/runs/{run_id}/force-cancel", "actions", cancel),
];

/** Newest first; also the runs of one workflow. */
export function listRuns(call: RestCall, belongs: (run: WorkflowRun) => boolean): Promise<Answer> {
  const { query } = call;
  const fits = (name: string, value: string | null): boolean => {
    const wanted = query.get(name);
    return wanted === null || wanted === value;
  };
  const runs = call.world
    .workflowRuns(call.repository)
    .filter(belongs)
    .filter(
      (run) =>
        fits("head_sha", run.headSha) &&
        fits("event", run.event) &&
        fits("branch", run.headBranch) &&
        fits("actor", run.actor.login) &&
        fits("check_suite_id", String(run.suiteId)) &&
        (fits("status", run.status) || fits("status", run.conclusion)) &&
        isCreated(query.get("created"), run.createdAt),
    );
  return counted(call, "workflow_runs", runs.slice(0, MOST_RESULTS), (run) =>
    runPayload(call, run),
  );
}

/** `>=2026-01-01`, `2026-01-01..2026-02-01` and the like. @throws Refusal UNPROCESSABLE. */
function isCreated(filter: string | null, createdAt: string): boolean {
  if (filter === null) return true;
  const at = Date.parse(createdAt);
  const range = /^(.+?)\.\.(.+)$/.exec(filter);
  const compare = /^(>=|<=|>|<)(.+)$/.exec(filter);
  const time = Date.parse(compare?.[2] ?? range?.[1] ?? filter);
  if (Number.isNaN(time))
    throw new Refusal("UNPROCESSABLE", `Invalid value for 'created': ${filter}`);
  if (range !== null) return at >= time && at <= Date.parse(range[2] ?? "");
  switch (compare?.[1]) {
    case ">=":
      return at >= time;
    case "<=":
      return at <= time;
    case ">":
      return at > time;
    case "<":
      return at < time;
    default:
      return createdAt.startsWith(filter);
  }
}

async function runPayload(call: RestCall, run: WorkflowRun): Promise<Record<string, unknown>> {
  const commit = await requireCommit(call, run.headSha);
  return workflowRunPayload(call.world.insides, call.state, run, simpleCommit(commit));
}

/** A run as it was in one of its attempts. @throws Refusal NOT_FOUND. */
function attemptOf(run: WorkflowRun, attempt: number): WorkflowRun {
  if (attempt === run.attempt) return run;
  const jobs = run.jobs.filter((job) => job.attempt === attempt);
  if (jobs.length === 0) throw new Refusal("NOT_FOUND", "Not Found");
  const starts = jobs.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const ends = jobs.flatMap(({ completedAt }) => completedAt ?? []).sort();
  return {
    ...run,
    attempt,
    // An attempt is over before the next one begins.
    status: "completed",
    conclusion: worstConclusion(jobs.map(({ conclusion }) => conclusion)),
    startedAt: starts[0] ?? run.createdAt,
    updatedAt: ends.at(-1) ?? run.updatedAt,
  };
}

function listJobs(
  call: RestCall,
  run: WorkflowRun,
  belongs: (job: Job) => boolean,
): Promise<Answer> {
  return counted(call, "jobs", run.jobs.filter(belongs), (job) =>
    jobPayload(call.world.insides, call.state, run, job),
  );
}

async function rerun(call: RestCall, which: "all" | "failed"): Promise<Answer> {
  await call.world.rerun(call.repository, requireRun(call).id, which);
  return json(201, {});
}

async function cancel(call: RestCall): Promise<Answer> {
  await call.world.cancelRun(call.repository, requireRun(call).id, call.actor);
  return json(202, {});
}

function requireRun(call: RestCall): WorkflowRun {
  const run = call.world.workflowRun(call.repository, call.id("run_id"));
  if (run === null) throw new Refusal("NOT_FOUND", "Not Found");
  return run;
}

function requireJob(call: RestCall): { readonly run: WorkflowRun; readonly job: Job } {
  const id = call.id("job_id");
  for (const run of call.world.workflowRuns(call.repository)) {
    const job = run.jobs.find((one) => one.id === id);
    if (job !== undefined) return { run, job };
  }
  throw new Refusal("NOT_FOUND", "Not Found");
}
