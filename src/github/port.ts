/**
 * What yoke asks of GitHub, and nothing else. The one real implementation is `client.ts`; GraphQL is
 * spoken in `queries.ts` only. Every call is one request unless its comment says otherwise; writes are
 * sent exactly once, never retried here (github-facts 5.4): retrying is the caller's decision.
 */
import type { GitHubFault } from "../core/github-fault.js";
import type { GateReading } from "../core/gate/gate-reasons.js";
import type { GroupReport } from "../core/gate/reporting.js";
import type { GateRules } from "../core/gate/rules.js";
import type { Comparison } from "../core/landing/direct.js";
import type { Observation, QueueConflict, StopEvidence } from "../core/landing/model.js";
import type { BranchUse } from "../core/landing/remote-branch.js";
import type { CheckEvidence } from "../core/recovery/evidence.js";

export interface RepositoryRef {
  readonly owner: string;
  readonly name: string;
}

/** Facts of a repository and its gate branch, read when a project is added and by `yoke doctor`. */
export interface RepositoryFacts {
  readonly id: number;
  readonly nodeId: string;
  readonly defaultBranch: string;
  readonly autoMergeAllowed: boolean;
  readonly gateBranchHead: string | null;
  readonly queue: {
    readonly url: string;
    readonly mergeMethod: "MERGE" | "SQUASH" | "REBASE" | null;
  } | null;
  readonly viewer: string;
}

/** The candidate's pull request and its branch on the remote, in one query (A1.2, A1.3). */
export interface LandingTarget {
  /** Oid of the branch on GitHub; null when it is not pushed. */
  readonly branchHead: string | null;
  /** The open pull request of this branch into the gate branch, else the newest one of any state. */
  readonly observation: Observation | null;
  readonly repositoryNodeId: string;
  readonly queueEnabled: boolean;
  /** Why GitHub did not say whether there is a queue (A12.2); then the two fields beside it prove nothing. */
  readonly queueUnreadable?: string;
  /** Merge method of the queue's configuration; null without a queue. */
  readonly queueMergeMethod: "MERGE" | "SQUASH" | "REBASE" | null;
  /** What the gate branch declares, and what is enforced on it (A2.2). */
  readonly gate: GateReading;
}

/** The gate branch without a landing: what it declares, what is enforced, whether it has a queue (A2.4). */
export interface GateBranch extends GateReading {
  readonly repositoryNodeId: string;
  readonly queueEnabled: boolean;
  readonly autoMergeAllowed: boolean;
}

/** One batched pass (A4.1, A15.1). A node that could not be read is in `unreadable`, never guessed. */
export interface ObservationBatch {
  readonly observations: readonly Observation[];
  readonly unreadable: readonly { readonly nodeId: string; readonly why: string }[];
  readonly requests: number;
}

export interface GitHub {
  repository(repository: RepositoryRef, gateBranch: string): Promise<RepositoryFacts>;

  landingTarget(
    repository: RepositoryRef,
    ask: {
      readonly branch: string;
      readonly gateBranch: string;
      readonly pullRequest: number | null;
    },
  ): Promise<LandingTarget>;

  /** Node id of the repository's ruleset of this name; null when it has none. One request for each 100 rulesets. */
  findRuleset(repository: RepositoryRef, ask: { readonly name: string }): Promise<string | null>;

  /** Makes the ruleset, or replaces what the one of `nodeId` holds: asked twice, the second changes nothing. */
  writeRuleset(ask: {
    readonly repositoryNodeId: string;
    readonly nodeId: string | null;
    readonly name: string;
    readonly branch: string;
    readonly rules: GateRules;
  }): Promise<void>;

  /** What was reported on the groups in the queue and on the newest that left it (A2.6). */
  groupReports(repository: RepositoryRef, branch: string): Promise<readonly GroupReport[]>;

  gateBranch(repository: RepositoryRef, branch: string): Promise<GateBranch>;

  /** `nodes(ids:)` in pages of 50, halved on 502 and 504 (github-facts 4.33). */
  observe(nodeIds: readonly string[]): Promise<ObservationBatch>;

  stopEvidence(
    repository: RepositoryRef,
    ask: { readonly pullRequest: number; readonly candidate: string; readonly baseBranch: string },
  ): Promise<StopEvidence>;

  /**
   * Entries ahead of the pull request, and the changed files shared with them (A7.1). When it has no entry of its own,
   * `ahead` lists every entry of the queue: all of them would stand ahead of it (A7.2). Null: the branch has no queue.
   */
  queueAhead(
    repository: RepositoryRef,
    ask: { readonly pullRequest: number; readonly baseBranch: string; readonly at: string },
  ): Promise<QueueConflict | null>;

  /**
   * The required checks of the pull request's head and, when one was cancelled or never started, the workflow runs,
   * jobs and annotations that say how (A8.2). One GraphQL request, then REST ones for what is in question.
   */
  headChecks(
    repository: RepositoryRef,
    ask: { readonly pullRequest: number; readonly gateBranch: string },
  ): Promise<CheckEvidence>;

  /** Reruns what did not pass in the newest attempt of a run; all of it when `whole`, for a run without jobs. */
  rerunWorkflow(
    repository: RepositoryRef,
    ask: { readonly run: number; readonly whole: boolean },
  ): Promise<void>;

  /** Returns the observation GitHub answered with. */
  openPullRequest(ask: {
    readonly repositoryNodeId: string;
    readonly headBranch: string;
    readonly baseBranch: string;
    readonly title: string;
    readonly body: string;
  }): Promise<Observation>;

  /**
   * Merge-when-ready, pinned to `expectedHead`. No method is sent: the queue decides it (case A10). Returns the pull
   * request as the answer shows it; null when it shows none that can be read.
   */
  enableAutoMerge(ask: {
    readonly nodeId: string;
    readonly expectedHead: string;
  }): Promise<Observation | null>;
  disableAutoMerge(ask: { readonly nodeId: string }): Promise<void>;
  /** Pinned and answered like `enableAutoMerge`. */
  enqueue(ask: {
    readonly nodeId: string;
    readonly expectedHead: string;
  }): Promise<Observation | null>;
  dequeue(ask: { readonly nodeId: string }): Promise<void>;
  /** Merges by a merge commit, pinned to `expectedHead`; only into a branch that was read to have no queue (A12.3). */
  mergePullRequest(ask: { readonly nodeId: string; readonly expectedHead: string }): Promise<void>;

  /** A branch and the open pull requests that need it (A16.6). */
  branchUse(repository: RepositoryRef, ask: { readonly branch: string }): Promise<BranchUse>;

  /** `commit` beside the head of `branch`: `AHEAD` contains it, `BEHIND` and `IDENTICAL` are contained in it. */
  compareWithBranch(
    repository: RepositoryRef,
    ask: { readonly branch: string; readonly commit: string },
  ): Promise<Comparison>;
}

export type { GitHubFault, RefusalMeaning } from "../core/github-fault.js";

export class GitHubError extends Error {
  override readonly name = "GitHubError";
  constructor(
    readonly fault: GitHubFault,
    options?: { cause?: unknown },
  ) {
    super(fault.message, options);
  }
}
