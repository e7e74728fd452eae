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

/** A person of the simulated GitHub; `read` may not push, and a push by it turns auto-merge off. */
export interface User extends Actor {
  readonly type: "User";
  access: "read" | "write";
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
  /** `owner/name` it was forked from. */
  forkOf: string | null;
  rulesets: Ruleset[];
  nextNumber: number;
  createdAt: string;
  deleted: boolean;
  options: RepositoryOptions;
}

/** Where public reports disagree, or a test wants the rarer behaviour. Defaults in `options.ts`. */
export interface RepositoryOptions {
  /** Suffix of queue branches: the commit the group is built on (quirk 8), or the queued head (B0.2). */
  branchNaming: "built_on" | "head";
  /** What landed under SQUASH and REBASE: the group commit itself, or a new commit of its tree (quirk 26). */
  landedCommit: "group" | "new";
  /** A conflicting entry stays and blocks those behind it (quirk 2), or is removed with MERGE_CONFLICT. */
  conflicts: "keep" | "evict";
  /** Arming a pull request that waits for nothing: refused, silently armed, or queued at once (A07, A09). */
  armWhenClean: "refuse" | "arm" | "enqueue";
  /** A push to the head of a queued pull request: GH006, the entry stays as it was, or it leaves (quirk 19, A45). */
  pushToQueuedHead: "locked" | "keeps_entry" | "removes_entry";
  /** Pushing to a branch with a queue: allowed as for an actor on the bypass list, or GH013. */
  pushToQueuedBase: "allowed" | "refused";
  autoMergeOffOnForcePush: boolean;
  /** Order of the removal and the merge on the timeline; both share a second (quirk 22). */
  removalOnMerge: "before_merged" | "after_merged";
  /** Reads of `mergeable` that answer UNKNOWN after head or base moved (quirk 1). */
  unknownReads: number;
  /** Milliseconds of UNKNOWN, counted from the first read after head or base moved. */
  unknownMs: number;
  /** Pull request reads show the world as it was this many milliseconds ago (quirk 24). */
  lagMs: number;
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
  /** First time the base branch was deleted or the head deleted: it cannot be reopened (A23). */
  baseDeleted: boolean;
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
  /** Set while UNMERGEABLE: the commit the entry conflicts with. */
  conflictsWith: string | null;
}

/** An entry as a reader sees it; `position` counts from 1. */
export type QueueEntryView = QueueEntry & { readonly position: number };

/** A pull request at one moment of the simulator's clock. */
export interface PullRequestView {
  readonly pullRequest: PullRequest;
  readonly entry: QueueEntryView | null;
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
  nodeId: string;
  entries: QueueEntry[];
  /** Group commits that landed as another commit (`landedCommit: "new"`), by group commit. */
  landedAs: Record<string, string>;
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

export interface App {
  id: number;
  slug: string;
  name: string;
  /** PEM, public half; JWTs are verified against it. */
  publicKey: string;
  webhook: { url: string; secret: string; active: boolean } | null;
  events: string[];
  permissions: Record<string, "read" | "write" | "admin">;
  createdAt: string;
}

export interface Installation {
  id: number;
  appId: number;
  account: string;
  repositorySelection: "all" | "selected";
  repositoryIds: number[];
  suspendedAt: string | null;
  createdAt: string;
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
  /** When it is sent; later than its making under a `delay`. */
  dueAt: string;
  deliveredAt: string | null;
  statusCode: number | null;
  status: string;
  redelivery: boolean;
  duration: number;
}

/** A scripted fault of webhook delivery; used up after `times` events. */
export interface WebhookFault {
  id: number;
  /** `reorder` keeps the next `times` deliveries and sends them last first. */
  kind: "lose" | "double" | "delay" | "reorder";
  /** `pull_request` or `pull_request.dequeued`; null: any. */
  filter: string | null;
  times: number;
  /** Milliseconds, for `delay`. */
  delayMs: number;
  /** Deliveries it has acted on. */
  used: number;
  /** Delivery ids kept back by `reorder`. */
  kept: number[];
}

/** Who a credential stands for. */
export type Principal =
  | {
      readonly kind: "user";
      readonly actor: User;
      readonly token: string;
      readonly scopes: string[];
    }
  | {
      readonly kind: "installation";
      readonly actor: Actor;
      readonly token: string;
      readonly app: App;
      readonly installation: Installation;
      readonly permissions: Record<string, string>;
      /** Null: every repository of the installation. */
      readonly repositoryIds: number[] | null;
    }
  | { readonly kind: "app"; readonly actor: Actor; readonly app: App };

/** A branch or tag that moved; the zero oid stands for "not there". */
export interface RefUpdate {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}
