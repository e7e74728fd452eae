/** Checks, statuses and Actions of the simulated GitHub; part of `model.ts`. */
import type { Actor } from "./model.js";

export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "startup_failure"
  | "stale";

export interface CheckSuite {
  id: number;
  nodeId: string;
  appId: number;
  headSha: string;
  headBranch: string;
  /** Workflow run behind it, null for another app's suite. */
  runId: number | null;
  createdAt: string;
  updatedAt: string;
}

export type RunStatus = "queued" | "in_progress" | "completed";

export interface CheckRun {
  id: number;
  nodeId: string;
  name: string;
  headSha: string;
  appId: number;
  suiteId: number;
  status: RunStatus;
  conclusion: CheckConclusion | null;
  startedAt: string | null;
  completedAt: string | null;
  detailsUrl: string;
  /** Actions job behind it, null for another app's check. */
  jobId: number | null;
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: Annotation[];
}

export interface CommitStatus {
  id: number;
  nodeId: string;
  sha: string;
  context: string;
  state: "error" | "failure" | "pending" | "success";
  description: string | null;
  targetUrl: string | null;
  creator: Actor;
  /** App that posted it, null for a person. */
  appId: number | null;
  createdAt: string;
}

export interface Annotation {
  level: "notice" | "warning" | "failure";
  message: string;
  path: string;
  line: number;
}

export interface Job {
  id: number;
  runId: number;
  attempt: number;
  name: string;
  status: RunStatus;
  conclusion: CheckConclusion | null;
  startedAt: string | null;
  completedAt: string | null;
  checkRunId: number;
  runnerName: string | null;
  annotations: Annotation[];
  outcome: JobScript["outcome"];
  duration: number;
  /** When the clock concludes it; null: nothing but a person or the admin API does. */
  concludesAt: string | null;
}

export interface WorkflowRun {
  id: number;
  nodeId: string;
  workflow: string;
  workflowId: number;
  runNumber: number;
  event: "pull_request" | "merge_group" | "push" | "workflow_dispatch";
  headBranch: string;
  headSha: string;
  suiteId: number;
  attempt: number;
  status: RunStatus;
  conclusion: CheckConclusion | null;
  createdAt: string;
  startedAt: string;
  updatedAt: string;
  actor: Actor;
  /** Jobs of every attempt; those of the current one have `attempt === run.attempt`. */
  jobs: Job[];
  /** Pull request it was started for, null for a push or a group. */
  pullRequest: number | null;
}

export interface JobScript {
  name: string;
  /**
   * `hold`: runs until the admin API releases it. `never`: stays queued. `instant`: passed as soon as
   * it is made. `flaky`: fails the first n attempts, then passes. Others conclude after `duration`.
   */
  outcome: "hold" | "instant" | "pass" | "fail" | "cancel" | "never" | { flaky: number };
  /** Milliseconds of the simulator's clock from start to conclusion; ignored for `hold`, `never`, `instant`. */
  duration: number;
  /** Outcome on merge groups, where it differs from the one on heads. */
  onMergeGroup?: "hold" | "instant" | "pass" | "fail" | "cancel" | "never" | { flaky: number };
  annotations?: Annotation[];
}

/** A scripted workflow of a repository: which events start it and what each job does. */
export interface WorkflowScript {
  name: string;
  /** Path as GitHub shows it, for instance `.github/workflows/ci.yml`. */
  path: string;
  on: ("pull_request" | "merge_group" | "push" | "workflow_dispatch")[];
  /** Branches whose pushes start it; without it every push does, also to queue branches. */
  branches?: string[];
  /** A newer run with the same key cancels the older one; `branch` keys by head branch (A15, A17). */
  concurrency?: "branch" | { key: string };
  jobs: JobScript[];
}

/** A scripted workflow with the ids GitHub gave it. */
export interface Workflow {
  id: number;
  nodeId: string;
  script: WorkflowScript;
  runs: number;
  createdAt: string;
}
