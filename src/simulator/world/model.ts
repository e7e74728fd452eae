/**
 * The state of the simulated GitHub. Real git repositories hold commits and refs; everything else is
 * here. `World` (world.ts) is the only writer; the wire (http, graphql, rest) asks it and prints.
 */

export type * from "./model-access.js";
export type * from "./model-checks.js";

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

/** A branch or tag that moved; the zero oid stands for "not there". */
export interface RefUpdate {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}
