/** Workflow runs: started by events, rerun, cancelled. What their jobs do is scripted (`jobs.ts`). */
import { announceRun } from "./announce-check.js";
import { addSuite, suiteById } from "./checks.js";
import type { Engine } from "./engine.js";
import * as jobs from "./jobs.js";
import type { Actor, Job, Repository, Workflow, WorkflowRun, WorkflowScript } from "./model.js";
import { nodeId } from "./node-ids.js";
import { ACTIONS_APP_ID } from "./options.js";
import { notFound, Refusal, unprocessable } from "./refusal.js";
import type { RepositoryState } from "./state.js";

/** Attempts of one run, counting partial ones (github-facts 2.5). */
const ATTEMPTS = 50;

export function runs(state: RepositoryState): WorkflowRun[] {
  return [...state.workflowRuns].reverse();
}

export function runById(state: RepositoryState, id: number): WorkflowRun | null {
  return state.workflowRuns.find((run) => run.id === id) ?? null;
}

/** Jobs of the newest attempt. */
export function currentJobs(run: WorkflowRun): Job[] {
  return run.jobs.filter((job) => job.attempt === run.attempt);
}

export function setWorkflows(
  engine: Engine,
  repository: Repository,
  scripts: readonly WorkflowScript[],
): Workflow[] {
  const state = engine.repositoryState(repository);
  state.workflows = scripts.map((script) => {
    const known = state.workflows.find((one) => one.script.path === script.path);
    if (known !== undefined) return { ...known, script };
    const id = engine.nextId();
    return {
      id,
      nodeId: nodeId("W", repository.id, id),
      script,
      runs: 0,
      createdAt: engine.stamp(),
    };
  });
  return state.workflows;
}

export interface Trigger {
  readonly event: WorkflowRun["event"];
  readonly branch: string;
  readonly sha: string;
  readonly actor: Actor;
  readonly pullRequest: number | null;
}

/** Starts every workflow the event is for. */
export async function startRuns(
  engine: Engine,
  state: RepositoryState,
  trigger: Trigger,
): Promise<void> {
  for (const workflow of state.workflows)
    if (listensTo(workflow.script, trigger)) await startRun(engine, state, workflow, trigger);
}

function listensTo(script: WorkflowScript, trigger: Trigger): boolean {
  if (!script.on.includes(trigger.event)) return false;
  if (trigger.event !== "push" || script.branches === undefined) return true;
  return script.branches.some((pattern) =>
    pattern.endsWith("/**")
      ? trigger.branch.startsWith(pattern.slice(0, -2))
      : pattern === trigger.branch,
  );
}

async function startRun(
  engine: Engine,
  state: RepositoryState,
  workflow: Workflow,
  trigger: Trigger,
): Promise<WorkflowRun> {
  const id = engine.nextId();
  const now = engine.stamp();
  workflow.runs += 1;
  const suite = addSuite(engine, state, {
    appId: ACTIONS_APP_ID,
    headSha: trigger.sha,
    headBranch: trigger.branch,
    runId: id,
  });
  const run: WorkflowRun = {
    id,
    nodeId: nodeId("WFR", state.repository.id, id),
    workflow: workflow.script.name,
    workflowId: workflow.id,
    runNumber: workflow.runs,
    event: trigger.event,
    headBranch: trigger.branch,
    headSha: trigger.sha,
    suiteId: suite.id,
    attempt: 1,
    status: "queued",
    conclusion: null,
    createdAt: now,
    startedAt: now,
    updatedAt: now,
    actor: trigger.actor,
    jobs: [],
    pullRequest: trigger.pullRequest,
  };
  state.workflowRuns.push(run);
  await announceRun(engine, state, run, "requested");
  await cancelSuperseded(engine, state, workflow, run);
  for (const script of workflow.script.jobs) await jobs.addJob(engine, state, run, suite, script);
  return run;
}

/** A declared concurrency group holds one run: the newest (A15, A17). */
async function cancelSuperseded(
  engine: Engine,
  state: RepositoryState,
  workflow: Workflow,
  run: WorkflowRun,
): Promise<void> {
  const { concurrency } = workflow.script;
  if (concurrency === undefined) return;
  for (const older of state.workflowRuns) {
    if (older === run || older.workflowId !== workflow.id || older.status === "completed") continue;
    if (concurrency === "branch" && older.headBranch !== run.headBranch) continue;
    const group = concurrency === "branch" ? run.headBranch : concurrency.key;
    await cancelJobs(engine, state, older, superseding(group));
  }
}

/** @throws Refusal for an unknown workflow or ref, or one that cannot be dispatched. */
export async function dispatch(
  engine: Engine,
  repository: Repository,
  ask: { workflow: string; ref: string; actor: Actor },
): Promise<WorkflowRun> {
  const state = engine.repositoryState(repository);
  const workflow = state.workflows.find(
    ({ id, script }) =>
      String(id) === ask.workflow ||
      script.path === ask.workflow ||
      script.path.split("/").at(-1) === ask.workflow,
  );
  if (workflow === undefined) throw notFound(`a workflow '${ask.workflow}'`);
  if (!workflow.script.on.includes("workflow_dispatch"))
    throw unprocessable("Workflow does not have 'workflow_dispatch' trigger");
  const branch = ask.ref.replace(/^refs\/heads\//, "");
  const sha = await engine.git(repository).branch(branch);
  if (sha === null) throw unprocessable(`No ref found for: ${ask.ref}`);
  return startRun(engine, state, workflow, {
    event: "workflow_dispatch",
    branch,
    sha,
    actor: ask.actor,
    pullRequest: null,
  });
}

/** @throws Refusal while the run goes on, or after 50 attempts. */
export async function rerun(
  engine: Engine,
  repository: Repository,
  runId: number,
  which: "all" | "failed" | { readonly jobId: number },
): Promise<WorkflowRun> {
  const state = engine.repositoryState(repository);
  const run = requireRun(state, runId);
  const suite = suiteById(state, run.suiteId);
  const workflow = state.workflows.find((one) => one.id === run.workflowId);
  if (run.status !== "completed" || suite === null || workflow === undefined)
    throw new Refusal("FORBIDDEN", "This workflow run cannot be retried");
  if (run.attempt >= ATTEMPTS)
    throw new Refusal("FORBIDDEN", "This workflow run has reached the limit of attempts");
  const before = currentJobs(run);
  const again = before.filter((job) => {
    if (which === "all") return true;
    return which === "failed" ? job.conclusion !== "success" : job.id === which.jobId;
  });
  if (again.length === 0) throw new Refusal("FORBIDDEN", "There are no jobs to run again");
  run.attempt += 1;
  run.status = "queued";
  run.conclusion = null;
  run.startedAt = run.updatedAt = engine.stamp();
  await announceRun(engine, state, run, "requested");
  for (const job of before) {
    const script = workflow.script.jobs.find((one) => one.name === job.name);
    if (again.includes(job) && script !== undefined)
      await jobs.addJob(engine, state, run, suite, script);
    // The others are carried over with what they concluded.
    else run.jobs.push({ ...job, id: engine.nextId(), attempt: run.attempt });
  }
  return run;
}

/** As GitHub annotates the jobs it cancels (ncihtan/data-models#252). */
const superseding = (group: string) =>
  `Canceling since a higher priority waiting request for '${group}' exists`;

/** @throws Refusal CONFLICT for a run that has ended. */
export async function cancel(
  engine: Engine,
  repository: Repository,
  runId: number,
  by: Actor,
): Promise<WorkflowRun> {
  const state = engine.repositoryState(repository);
  const run = requireRun(state, runId);
  if (run.status === "completed")
    throw new Refusal("CONFLICT", "Cannot cancel a workflow run that is completed.");
  await cancelJobs(engine, state, run, `The run was canceled by @${by.login}.`);
  return run;
}

async function cancelJobs(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  why: string,
): Promise<void> {
  for (const job of currentJobs(run)) {
    if (job.status === "completed") continue;
    job.annotations.push({ level: "failure", message: why, path: ".github", line: 1 });
    await jobs.conclude(engine, state, run, job, "cancelled");
  }
}

function requireRun(state: RepositoryState, id: number): WorkflowRun {
  const run = runById(state, id);
  if (run === null) throw notFound(`a workflow run with the id ${id}`);
  return run;
}
