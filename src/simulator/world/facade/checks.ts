/** Checks, statuses and Actions. */
import * as actions from "../actions.js";
import * as checks from "../checks.js";
import * as jobs from "../jobs.js";
import { ADMIN } from "../actors.js";
import type * as model from "../model.js";
import type * as request from "../requests.js";
import { WorldPullRequests } from "./pull-requests.js";

type Repository = model.Repository;

export class WorldChecks extends WorldPullRequests {
  /** Newest first. */
  checkRuns(repository: Repository, sha: string): model.CheckRun[] {
    return checks.runsOf(this.engine.repositoryState(repository), sha);
  }

  checkRun(repository: Repository, id: number): model.CheckRun | null {
    return checks.runById(this.engine.repositoryState(repository), id);
  }

  checkSuites(repository: Repository, sha: string): model.CheckSuite[] {
    return checks.suitesOf(this.engine.repositoryState(repository), sha);
  }

  checkSuite(repository: Repository, id: number): model.CheckSuite | null {
    return checks.suiteById(this.engine.repositoryState(repository), id);
  }

  /** Whole history, newest first. */
  statuses(repository: Repository, sha: string): model.CommitStatus[] {
    return checks.statusesOf(this.engine.repositoryState(repository), sha);
  }

  createCheckRun(repository: Repository, ask: request.ReportCheckRun): Promise<model.CheckRun> {
    return this.engine.mutate("create check run", () =>
      checks.createCheckRun(this.engine, repository, ask),
    );
  }

  updateCheckRun(
    repository: Repository,
    id: number,
    ask: request.UpdateCheckRun,
  ): Promise<model.CheckRun> {
    return this.engine.mutate("update check run", () =>
      checks.updateCheckRun(this.engine, repository, id, ask),
    );
  }

  /** @throws Refusal after 1,000 per commit and context, or for a long description (github-facts 2.3). */
  createStatus(repository: Repository, ask: request.ReportStatus): Promise<model.CommitStatus> {
    return this.engine.mutate("create status", () =>
      checks.createStatus(this.engine, repository, ask),
    );
  }

  // Actions

  workflows(repository: Repository): model.Workflow[] {
    return this.engine.repositoryState(repository).workflows;
  }

  /** Replaces the scripts; a script of the same path keeps its workflow id. */
  setWorkflows(
    repository: Repository,
    scripts: readonly model.WorkflowScript[],
  ): Promise<model.Workflow[]> {
    return this.engine.mutate("set workflows", () =>
      actions.setWorkflows(this.engine, repository, scripts),
    );
  }

  /** Newest first. */
  workflowRuns(repository: Repository): model.WorkflowRun[] {
    return actions.runs(this.engine.repositoryState(repository));
  }

  workflowRun(repository: Repository, id: number): model.WorkflowRun | null {
    return actions.runById(this.engine.repositoryState(repository), id);
  }

  /** `workflow`: id, path, or the file's name. */
  dispatchWorkflow(
    repository: Repository,
    ask: { workflow: string; ref: string; actor: model.Actor },
  ): Promise<model.WorkflowRun> {
    return this.engine.mutate("dispatch workflow", () =>
      actions.dispatch(this.engine, repository, ask),
    );
  }

  /** A new attempt: of all jobs, of the failed ones, or of one. Refused while the run goes on. */
  rerun(
    repository: Repository,
    runId: number,
    which: "all" | "failed" | { jobId: number },
  ): Promise<model.WorkflowRun> {
    return this.engine.mutate("rerun", () => actions.rerun(this.engine, repository, runId, which));
  }

  /** `by`: whoever the annotation names. */
  cancelRun(
    repository: Repository,
    runId: number,
    by: model.Actor = ADMIN,
  ): Promise<model.WorkflowRun> {
    return this.engine.mutate("cancel run", () =>
      actions.cancel(this.engine, repository, runId, by),
    );
  }

  /** Jobs that only the admin API ends: `hold` ones running, and `never` ones queued. */
  heldJobs(repository?: Repository): jobs.HeldJob[] {
    return jobs.held(this.engine, repository);
  }

  /** Ends a held job. */
  releaseJob(jobId: number, conclusion: "pass" | "fail" | "cancel"): Promise<model.Job> {
    return this.engine.mutate("release job", () => jobs.release(this.engine, jobId, conclusion));
  }
}
