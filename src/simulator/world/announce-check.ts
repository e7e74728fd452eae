/** Webhooks of checks and of Actions. */
import { ACTIONS_BOT, botOf } from "./actors.js";
import type { Engine } from "./engine.js";
import type { Actor, CheckRun, CheckSuite, Job, WorkflowRun } from "./model.js";
import { checkRunPayload, checkSuitePayload } from "./payloads/check.js";
import { simpleCommit } from "./payloads/commit.js";
import { jobPayload, workflowPayload, workflowRunPayload } from "./payloads/workflow.js";
import type { RepositoryState } from "./state.js";
import { emit } from "./webhooks.js";

export async function announceCheckRun(
  engine: Engine,
  state: RepositoryState,
  run: CheckRun,
  action: "created" | "completed",
): Promise<void> {
  await emit(engine, state, {
    name: "check_run",
    action,
    sender: senderOf(engine, run.appId),
    payload: () => ({ check_run: checkRunPayload(engine, state, run) }),
  });
}

export async function announceCheckSuite(
  engine: Engine,
  state: RepositoryState,
  suite: CheckSuite,
): Promise<void> {
  await emit(engine, state, {
    name: "check_suite",
    action: "completed",
    sender: senderOf(engine, suite.appId),
    payload: async () => ({
      check_suite: checkSuitePayload(
        engine,
        state,
        suite,
        simpleCommit(await engine.git(state.repository).commit(suite.headSha)),
      ),
    }),
  });
}

export async function announceRun(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  action: "requested" | "in_progress" | "completed",
): Promise<void> {
  await emit(engine, state, {
    name: "workflow_run",
    action,
    sender: run.actor,
    payload: async () => {
      const workflow = state.workflows.find((one) => one.id === run.workflowId);
      const commit = simpleCommit(await engine.git(state.repository).commit(run.headSha));
      return {
        workflow: workflow === undefined ? null : workflowPayload(engine, state, workflow),
        workflow_run: workflowRunPayload(engine, state, run, commit),
      };
    },
  });
}

export async function announceJob(
  engine: Engine,
  state: RepositoryState,
  run: WorkflowRun,
  job: Job,
  action: "queued" | "in_progress" | "completed",
): Promise<void> {
  await emit(engine, state, {
    name: "workflow_job",
    action,
    sender: run.actor,
    payload: () => ({ workflow_job: jobPayload(engine, state, run, job) }),
  });
}

function senderOf(engine: Engine, appId: number): Actor {
  const app = engine.state.apps.find((one) => one.id === appId);
  return app === undefined ? ACTIONS_BOT : botOf(app);
}
