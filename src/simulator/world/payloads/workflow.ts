/** Workflow runs and jobs as webhooks carry them. */
import type { Engine } from "../engine.js";
import type { Job, Workflow, WorkflowRun } from "../model.js";
import { nodeId } from "../node-ids.js";
import type { RepositoryState } from "../state.js";
import { userPayload } from "./account.js";
import { linksOf, seconds } from "./links.js";
import { minimalPullRequests } from "./pull-request.js";
import { repositoryPayload } from "./repository.js";

export function workflowPayload(
  engine: Engine,
  state: RepositoryState,
  workflow: Workflow,
): Record<string, unknown> {
  const links = linksOf(engine, state.repository);
  return {
    id: workflow.id,
    node_id: workflow.nodeId,
    name: workflow.script.name,
    path: workflow.script.path,
    state: "active",
    created_at: seconds(workflow.createdAt),
    updated_at: seconds(workflow.createdAt),
    url: `${links.api}/actions/workflows/${workflow.id}`,
    html_url: `${links.html}/blob/${state.repository.defaultBranch}/${workflow.script.path}`,
    badge_url: `${links.html}/actions/workflows/${workflow.id}/badge.svg`,
  };
}

export function workflowRunPayload(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  headCommit: Record<string, unknown>,
): Record<string, unknown> {
  const links = linksOf(engine, state.repository);
  const url = `${links.api}/actions/runs/${run.id}`;
  const suite = state.checkSuites.find((one) => one.id === run.suiteId);
  const workflow = state.workflows.find((one) => one.id === run.workflowId);
  const repository = repositoryPayload(engine, state.repository);
  const actor = userPayload(links, run.actor);
  return {
    id: run.id,
    node_id: run.nodeId,
    name: run.workflow,
    display_title: String(headCommit["message"]).split("\n")[0],
    path: workflow?.script.path ?? "",
    workflow_id: run.workflowId,
    run_number: run.runNumber,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    head_branch: run.headBranch,
    head_sha: run.headSha,
    check_suite_id: run.suiteId,
    check_suite_node_id: suite?.nodeId ?? nodeId("CS", state.repository.id, run.suiteId),
    created_at: seconds(run.createdAt),
    updated_at: seconds(run.updatedAt),
    run_started_at: seconds(run.startedAt),
    url,
    html_url: `${links.html}/actions/runs/${run.id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${links.api}/check-suites/${run.suiteId}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${links.api}/actions/workflows/${run.workflowId}`,
    actor,
    triggering_actor: actor,
    pull_requests: minimalPullRequests(engine, state, run.headSha),
    referenced_workflows: [],
    head_commit: headCommit,
    repository,
    head_repository: repository,
  };
}

export function jobPayload(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  job: Job,
): Record<string, unknown> {
  const links = linksOf(engine, state.repository);
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.workflow,
    head_branch: run.headBranch,
    run_url: `${links.api}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    node_id: nodeId("CR", state.repository.id, job.checkRunId),
    head_sha: run.headSha,
    url: `${links.api}/actions/jobs/${job.id}`,
    html_url: `${links.html}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: seconds(run.startedAt),
    started_at: seconds(job.startedAt ?? run.startedAt),
    completed_at: seconds(job.completedAt),
    name: job.name,
    steps: [],
    check_run_url: `${links.api}/check-runs/${job.checkRunId}`,
    labels: ["ubuntu-latest"],
    runner_id: job.runnerName === null ? null : 1,
    runner_name: job.runnerName,
    runner_group_id: job.runnerName === null ? null : 1,
    runner_group_name: job.runnerName === null ? null : "GitHub Actions",
  };
}
