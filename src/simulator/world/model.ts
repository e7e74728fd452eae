/**
 * The state of the simulated GitHub. Real git repositories hold commits and refs; everything else is
 * here. `World` (world.ts) is the only writer; the wire (http, graphql, rest) asks it and prints.
 */

export type MergeMethod = "MERGE" | "SQUASH" | "REBASE";

export interface Actor {
  readonly login: string;
  readonly type: "User" | "Bot";
  readonly id: number;
}

export interface QueueSettings {
  checkResponseTimeoutMinutes: number;
  groupingStrategy: "ALLGREEN" | "HEADGREEN";
  maxEntriesToBuild: number;
  maxEntriesToMerge: number;
  mergeMethod: MergeMethod;
  minEntriesToMerge: number;
  minEntriesToMergeWaitMinutes: number;
}

export interface RequiredCheck {
  context: string;
  /** App that must report it; null: any source. */
  integrationId: number | null;
}

export interface Ruleset {
  id: number;
  name: string;
  enforcement: "active" | "evaluate" | "disabled";
  target: "branch";
  /** Full ref names, or `~DEFAULT_BRANCH`, `~ALL`. */
  include: string[];
  exclude: string[];
  mergeQueue: QueueSettings | null;
  requiredStatusChecks: { checks: RequiredCheck[]; strict: boolean } | null;
  /** Approving reviews needed; 0: the rule is absent. */
  requiredApprovals: number;
  createdAt: string;
  updatedAt: string;
}

export interface Repository {
  id: number;
  nodeId: string;
  owner: string;
  ownerType: "Organization" | "User";
  name: string;
  defaultBranch: string;
  private: boolean;
  /** Whether plain git may push without a credential (loopback convenience; `private` forbids it). */
  anonymousPush: boolean;
  autoMergeAllowed: boolean;
  mergeCommitAllowed: boolean;
  squashMergeAllowed: boolean;
  rebaseMergeAllowed: boolean;
  deleteBranchOnMerge: boolean;
  /** Absolute path of the bare git repository. */
  gitDir: string;
  rulesets: Ruleset[];
  nextNumber: number;
  createdAt: string;
  deleted: boolean;
}

export interface AutoMerge {
  enabledAt: string;
  enabledBy: Actor;
  mergeMethod: MergeMethod;
}

export interface PullRequest {
  id: number;
  nodeId: string;
  number: number;
  title: string;
  body: string;
  author: Actor;
  state: "OPEN" | "CLOSED" | "MERGED";
  isDraft: boolean;
  headBranch: string;
  headSha: string;
  headBranchExists: boolean;
  /** `owner/name` of the head repository; differs from the base repository for a fork. */
  headRepository: string;
  maintainerCanModify: boolean;
  baseBranch: string;
  baseSha: string;
  approvals: { login: string; sha: string; at: string }[];
  autoMerge: AutoMerge | null;
  mergeCommit: string | null;
  mergedAt: string | null;
  mergedBy: Actor | null;
  closedAt: string | null;
  createdAt: string;
  updatedAt: string;
  timeline: TimelineEvent[];
}

export type EntryState = "QUEUED" | "AWAITING_CHECKS" | "MERGEABLE" | "UNMERGEABLE" | "LOCKED";

export interface QueueEntry {
  id: number;
  nodeId: string;
  pullRequest: number;
  state: EntryState;
  enqueuedAt: string;
  enqueuer: Actor;
  jump: boolean;
  solo: boolean;
  /** Head of the pull request when it was enqueued. */
  headSha: string;
  group: Group | null;
}

/** One group commit of one entry, chained on the entry ahead. */
export interface Group {
  headSha: string;
  /** The commit the group is built on: the entry ahead, or the base tip. */
  baseSha: string;
  /** `gh-readonly-queue/<base>/pr-<n>-<sha it is built on>`, without `refs/heads/`. */
  branch: string;
  builtAt: string;
}

export interface Queue {
  /** Branch name. */
  branch: string;
  entries: QueueEntry[];
}

export type DequeueReason =
  | "UNKNOWN_REMOVAL_REASON"
  | "MANUAL"
  | "MERGE"
  | "MERGE_CONFLICT"
  | "CI_FAILURE"
  | "CI_TIMEOUT"
  | "ALREADY_MERGED"
  | "QUEUE_CLEARED"
  | "ROLL_BACK"
  | "BRANCH_PROTECTIONS"
  | "GIT_TREE_INVALID"
  | "INVALID_MERGE_COMMIT";

export type TimelineEvent = {
  readonly id: number;
  readonly createdAt: string;
  readonly actor: Actor;
} & (
  | { readonly type: "AddedToMergeQueueEvent" }
  /** `reason` is the timeline's own vocabulary (`failed_checks`, `merged`, …), not the webhook's. */
  | {
      readonly type: "RemovedFromMergeQueueEvent";
      readonly reason: string;
      readonly beforeCommit: string | null;
    }
  | { readonly type: "AutoMergeEnabledEvent" }
  | {
      readonly type: "AutoMergeDisabledEvent";
      readonly reason: string;
      readonly reasonCode: string;
    }
  | { readonly type: "MergedEvent"; readonly commit: string; readonly mergeRefName: string }
  | { readonly type: "ClosedEvent" }
  | { readonly type: "ReopenedEvent" }
  | { readonly type: "HeadRefForcePushedEvent"; readonly before: string; readonly after: string }
  | { readonly type: "HeadRefDeletedEvent"; readonly headRefName: string }
  | { readonly type: "BaseRefChangedEvent"; readonly previous: string; readonly current: string }
);

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
  jobs: Job[];
}

/** A scripted workflow of a repository: which events start it and what each job does. */
export interface WorkflowScript {
  name: string;
  /** Path as GitHub shows it, for instance `.github/workflows/ci.yml`. */
  path: string;
  on: ("pull_request" | "merge_group" | "push" | "workflow_dispatch")[];
  jobs: {
    name: string;
    /**
     * `hold`: waits for the admin API. `never`: stays queued. `instant`: passes as soon as it is made.
     * `flaky`: fails the first n attempts, then passes. Others conclude as soon as they start.
     */
    outcome: "hold" | "instant" | "pass" | "fail" | "cancel" | "never" | { flaky: number };
    /** Milliseconds of the simulator's clock from start to conclusion; ignored for `hold`, `never`, `instant`. */
    duration: number;
  }[];
}

export interface App {
  id: number;
  slug: string;
  name: string;
  /** PEM, public half; JWTs are verified against it. */
  publicKey: string;
  webhook: { url: string; secret: string; active: boolean } | null;
  events: string[];
  permissions: Record<string, "read" | "write" | "admin">;
}

export interface Installation {
  id: number;
  appId: number;
  account: string;
  repositorySelection: "all" | "selected";
  repositoryIds: number[];
  suspendedAt: string | null;
}

export type Token =
  | {
      readonly kind: "personal";
      readonly token: string;
      readonly actor: Actor;
      readonly scopes: string[];
      revoked: boolean;
    }
  | {
      readonly kind: "installation";
      readonly token: string;
      readonly installationId: number;
      readonly permissions: Record<string, string>;
      readonly repositoryIds: number[] | null;
      readonly expiresAt: string;
      revoked: boolean;
    };

/** A repository webhook (not an App's). */
export interface RepositoryHook {
  id: number;
  repositoryId: number;
  url: string;
  secret: string;
  events: string[];
  active: boolean;
}

export interface Delivery {
  id: number;
  guid: string;
  event: string;
  action: string | null;
  hook: { kind: "app" | "repository"; id: number };
  installationId: number | null;
  repositoryId: number | null;
  url: string;
  /** The exact bytes signed and sent. */
  body: string;
  deliveredAt: string | null;
  statusCode: number | null;
  status: string;
  redelivery: boolean;
  duration: number;
}
