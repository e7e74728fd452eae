/**
 * Names and shapes that cross the border of a workflow: workflow ids, updates, signals, queries,
 * search attributes. Imported by workflows, activities and functions; imports types only.
 */
import type { Candidate, FrozenBy, LandingState } from "../src/core/landing/model.js";
import type { BranchRemoval } from "../src/core/landing/remote-branch.js";
import type { QueueRun } from "../src/core/local-queue/run/host.js";
import type { Receipt } from "../src/core/records.js";
import type { CheckAnswer } from "../src/core/recovery/recover.js";
import type { Refusal } from "../src/core/refusals.js";
import type { LaneReading, LaneRemoval } from "../src/git/port.js";

/** Workflow ids are business keys (design.md). */
export const workflowId = {
  /** A re-land attempt has a workflow of its own, named by its pull request (A10.1). */
  landing: (item: string, attempt = 0) =>
    attempt === 0 ? `landing:${item}` : `reland:${item}:pr-${attempt}`,
  refresh: (project: string) => `refresh:${project}`,
  /** Temporal appends the scheduled time to the id of a run that a schedule starts. */
  upkeep: (project: string) => `upkeep:${project}`,
  /** `key`: of the repository, made of its git common directory (C1.4). */
  mergeQueue: (key: string) => `merge-queue:${key}`,
};

export const scheduleId = { upkeep: (project: string) => `upkeep:${project}` };

/** Task queue of landings and upkeep; a host's own queue takes the git work on its lanes. */
export const taskQueue = {
  main: "yoke",
  host: (host: string, main = "yoke") => `${main}-host-${host}`,
};

/** What `merge.item` asks of the landing workflow: the lane as the command read it, never a secret. */
export interface MergeRequest {
  readonly project: string;
  readonly item: string;
  /** Null when no lane of the item is left on the host: only a landing that is already merged can answer. */
  readonly lane: LaneReading | null;
  /** Host that has the lane; its task queue takes the close-out's git work. */
  readonly host: string;
  readonly remote: string | null;
  readonly session: string | null;
  readonly result: string | null;
  readonly verification: string | null;
  /** Run the whole preflight and say what would be sent; send nothing (A16.4). */
  readonly dryRun?: boolean;
  /** The project has lanes' branches deleted on GitHub once they landed (A16.6). */
  readonly deleteRemoteBranch?: boolean;
  /** `TEST: why`: claims the one retry of a failed merge train (A9.1). */
  readonly retryFlake?: string;
}

export type MergeAnswer =
  | { readonly outcome: "refused"; readonly refusals: readonly Refusal[] }
  | {
      readonly outcome: "landing_pending";
      readonly state: LandingState;
      readonly why: string;
      /** What became of its required checks that did not pass, where they were looked after (A8). */
      readonly checks?: readonly CheckAnswer[];
    }
  | {
      readonly outcome: "landed";
      readonly state: LandingState;
      readonly receipt: Receipt;
      readonly lane: LaneRemoval | null;
      /** What became of its branch on GitHub; not there when it was not to be deleted (A16.6). */
      readonly remoteBranch?: BranchRemoval;
    }
  /** The request goes on to the item's re-land attempt, which is recorded and not armed yet (A10.1). */
  | { readonly outcome: "reland"; readonly attempt: number }
  | {
      readonly outcome: "would_arm";
      readonly call:
        | "enqueue"
        | "enable_auto_merge"
        | "already"
        | "open_pull_request"
        | "merge_directly"
        | "close_out";
      readonly candidate: Candidate;
    };

export interface HoldRequest {
  readonly item: string;
  readonly session: string | null;
}

export type HoldAnswer =
  | { readonly outcome: "held"; readonly state: LandingState; readonly confirmed: boolean }
  | { readonly outcome: "refused"; readonly refusals: readonly Refusal[] };

/** Input of the `landing` workflow; `carried` is set by continue-as-new only. Without it the record is loaded. */
export interface LandingInput {
  readonly project: string;
  readonly item: string;
  readonly gateBranch: string;
  /** The pull request that names a re-land attempt (A10.1); not there for the item's first landing. */
  readonly attempt?: number;
  readonly carried?: LandingCarried;
}

/** What travels through continue-as-new: everything that guards idempotency is in here. */
export interface LandingCarried {
  readonly state: LandingState;
  readonly version: number;
  readonly why: string;
  readonly undeliveredNotices: readonly string[];
  readonly result: string | null;
  readonly verification: string | null;
}

export interface LandingView {
  readonly state: LandingState;
  readonly version: number;
  readonly why: string;
}

/** The project was frozen, or (null) is no longer (A16.3). */
export interface FreezeChanged {
  readonly frozen: FrozenBy | null;
}

export interface UpkeepInput {
  readonly project: string;
}

/** A project refresh asked for by a webhook (some pull requests) or a waiter (all of them). */
export interface RefreshInput {
  readonly project: string;
  /** Pull requests still to be read, carried through continue-as-new. */
  readonly touched?: readonly number[];
}

export interface PullRequestsTouched {
  readonly pullRequests: readonly number[];
}

export interface RefreshAnswer {
  readonly observed: number;
  readonly changed: number;
  readonly refreshError: { readonly code: string; readonly message: string } | null;
}

/** One run of a repository's local queue. */
export interface MergeQueueInput extends QueueRun {
  /** Of a host that has the repository. */
  readonly taskQueue: string;
}

export const updates = { merge: "merge", hold: "hold", refreshAll: "refreshAll" } as const;
export const signals = {
  pullRequestObserved: "pullRequestObserved",
  pullRequestsTouched: "pullRequestsTouched",
  freezeChanged: "freezeChanged",
} as const;
export const queries = {
  landingView: "landingView",
  mergeQueueProgress: "mergeQueueProgress",
} as const;
