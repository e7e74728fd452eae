/**
 * The words of a landing, as plain data: what GitHub said (observation), what yoke knows (state),
 * and what it will do (effects). Everything here crosses workflow boundaries as JSON.
 *
 * Times are ISO 8601 strings in UTC. SHAs are 40 lower-case hex digits.
 */

import type { DirectMerge } from "./direct.js";
import type { CancelCause } from "../recovery/cancelled.js";
import type { WrongTree } from "./integrity.js";

export type Mergeable = "MERGEABLE" | "CONFLICTING" | "UNKNOWN";

export type MergeStateStatus =
  "BEHIND" | "BLOCKED" | "CLEAN" | "DIRTY" | "DRAFT" | "HAS_HOOKS" | "UNKNOWN" | "UNSTABLE";

export type QueueEntryState = "QUEUED" | "AWAITING_CHECKS" | "MERGEABLE" | "UNMERGEABLE" | "LOCKED";

/** A live entry of the merge queue (GraphQL `MergeQueueEntry`). */
export interface QueueEntry {
  readonly state: QueueEntryState;
  readonly position: number;
  readonly enqueuedAt: string;
  /** Seconds, as GitHub estimates. */
  readonly estimatedTimeToMerge: number | null;
  /** The group commit, null while none is built. */
  readonly groupCommit: string | null;
}

/** Membership is three-valued: an unreadable queue proves nothing (A4.7). */
export type QueueMembership =
  | { readonly read: "entry"; readonly entry: QueueEntry }
  | { readonly read: "none" }
  | { readonly read: "unreadable"; readonly why: string };

/** How many checks of a commit stand how, as GitHub counts them: superseded runs are among them (github-facts 4.16). */
export interface CheckCounts {
  readonly passed: number;
  /** Cancelled ones included. */
  readonly failed: number;
  /** Not ended, also those that have not begun. */
  readonly running: number;
  /** Of those, the ones that have not begun: no runner took them yet. Not there when all have. */
  readonly notStarted?: number | undefined;
}

/** One reading of one pull request by the GitHub adapter (A4). */
export interface Observation {
  readonly pullRequest: number;
  /** GraphQL node id. */
  readonly nodeId: string;
  readonly url: string;
  /** When the answer was made, by GitHub's clock (the `Date` of the answer): orders observations (A4.8). */
  readonly readAt: string;
  /** The pull request's own `updatedAt`. */
  readonly updatedAt: string;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly isDraft: boolean;
  readonly head: string;
  readonly headBranch: string;
  /** False when GitHub says the head branch is gone. */
  readonly headBranchExists: boolean;
  readonly baseBranch: string;
  readonly baseBranchExists: boolean;
  readonly mergeable: Mergeable;
  readonly mergeState: MergeStateStatus;
  /** Merge-when-ready, null when GitHub holds none. */
  readonly autoMerge: { readonly enabledAt: string } | null;
  readonly queue: QueueMembership;
  /** True when the base branch has a merge queue. */
  readonly queueEnabled: boolean;
  /** Landing evidence; `commit` may lag behind `state` (A11.1). */
  readonly merge: {
    readonly commit: string | null;
    readonly mergedAt: string | null;
    /** Whether a group was run on that commit (A16.1); not there when it was not asked for or could not be read. */
    readonly groupRun?: boolean;
  } | null;
  readonly closedAt: string | null;
  /**
   * For whoever waits; no decision looks at them. Not there when they were not asked for or could not be read; `group`
   * is null while no group commit is built.
   */
  readonly checks?: { readonly head: CheckCounts; readonly group: CheckCounts | null };
}

/** A required check that did not pass, wherever it was read: on the head or on the group commit. */
export interface FailedCheck {
  readonly name: string;
  readonly conclusion: string;
  readonly url: string | null;
  readonly on: "head" | "group";
  /** Page of the Actions run behind it; not there for another app's report. */
  readonly runUrl?: string;
  /** Why a check of the group was cancelled (A16.5); not there for others, or when Actions may not be read. */
  readonly cause?: CancelCause;
}

/** What is read once more before a stop is said (A5.3, A5.12): one request, never per pass. */
export interface StopEvidence {
  /** Whether the base branch contains the candidate: `unknown` when it could not be read. */
  readonly baseContainsCandidate: "yes" | "no" | "unknown";
  readonly failedChecks: readonly FailedCheck[];
  /** Required checks of the group that had not begun when it left; not there when there are none. */
  readonly notStarted?: readonly string[];
  /** The newest removal from the queue, in the timeline's own words; free text (github-facts 1.5). */
  readonly removal: {
    readonly at: string;
    readonly reason: string | null;
    readonly groupCommit: string | null;
  } | null;
  readonly readAt: string;
}

/** The exact commit that was verified and is to land (A1.2). */
export interface Candidate {
  readonly commit: string;
  readonly tree: string;
  readonly branch: string;
  readonly qualification: string;
}

export type StopReason =
  | "left_the_queue"
  | "checks_failed"
  | "conflicts_with_base"
  | "closed_unmerged"
  | "head_changed"
  | "head_branch_deleted"
  | "base_branch_gone"
  | "never_enqueued"
  | "queue_conflict_unresolved"
  /** Of a direct merge (A12.3): the base moved, has a queue now, or GitHub refused. */
  | "MergeTargetStale"
  | "gate_has_queue"
  | "merge_refused";

/** Why a landing stopped, kept with its episode. */
export interface Stop {
  readonly reason: StopReason;
  readonly message: string;
  readonly next: string;
  readonly failedChecks: readonly FailedCheck[];
  readonly at: string;
}

/** The words of a stop, before it is known when it is said. */
export type StopDraft = Omit<Stop, "at">;

/**
 * Entries that stood ahead when the queue could not merge the candidate (A7.1). Without an entry of its own, every
 * entry of the queue would stand ahead of it.
 */
export interface QueueConflict {
  readonly ahead: readonly number[];
  readonly sharedFiles: readonly string[];
  readonly seenAt: string;
}

/** The freeze of a project, as a landing that it holds knows it (A16.3). */
export interface FrozenBy {
  readonly reason: string;
  /** When it ends by itself; null: when somebody ends it. */
  readonly until: string | null;
}

export type LandingPhase =
  /** No pull request was armed in this episode. */
  | "unarmed"
  /** GitHub holds arming or an entry, or will once recomputed. */
  | "pending"
  /** Conflict with entries ahead only: waiting to re-enter (A7). */
  | "waiting_reentry"
  /** Held by a person; waiting without a notice (A5.8). */
  | "held"
  /** The holder must act (A5.3 …). */
  | "stopped"
  /** GitHub merged it; stamps and receipt identity are written; close-out is owed (A11). */
  | "landed"
  /** Close-out proved the carrying merge and enriched the receipt. */
  | "closed_out"
  /** A re-land attempt that ended without a merge (A10.2, A10.4). */
  | "closed";

export interface Landed {
  readonly mergeCommit: string;
  readonly mergedAt: string;
  /** Whether a group was run on that commit (A16.1); not there when it is not known. */
  readonly verifiedByGroup?: boolean;
}

/** How a re-land attempt ended without a merge. */
export interface AttemptEnd {
  readonly outcome: "superseded" | "closed_unmerged";
  readonly reason: string;
  readonly at: string;
}

/** What the landing workflow carries, also through continue-as-new. */
export interface LandingState {
  readonly project: string;
  readonly item: string;
  /** The pull request that names a re-land attempt (A10.1); not there, or 0, for an item's first landing. */
  readonly attempt?: number;
  /** How the attempt ended without a merge; null while it is open. */
  readonly ended?: AttemptEnd | null;
  readonly gateBranch: string;
  /** Counts governed armings; a new one starts a new episode (A6.1). 0: never armed. */
  readonly episode: number;
  readonly phase: LandingPhase;
  readonly pullRequest: {
    readonly number: number;
    readonly nodeId: string;
    readonly url: string;
  } | null;
  readonly candidate: Candidate | null;
  /** The durable fact of A4.5: GitHub was seen to hold arming or an entry in this episode, or accepted the request. */
  readonly admitted: boolean;
  readonly stop: Stop | null;
  readonly landed: Landed | null;
  /** What GitHub merged is not the clean merge of the candidate (A16.1): never reported as landed. */
  readonly wrongTree?: WrongTree;
  readonly queueConflict: QueueConflict | null;
  /** Since when arming stood beside CLEAN without an entry (A5.11), by GitHub's clock. */
  readonly readySince: string | null;
  /** The one explicit enqueue of A5.11 was spent in this episode. */
  readonly graceEnqueueSpent: boolean;
  /** Automatic disarming failed in this episode (A6.2). */
  readonly disarmFailed: boolean;
  readonly lastObservation: Observation | null;
  /** Notices decided so far, as `<episode>:<kind>`; at most one stopped notice an episode (A6.1). */
  readonly noticed: readonly string[];
  /** When this episode was armed, by GitHub's clock: the reading that confirmed it. */
  readonly armedAt?: string | null;
  /** GitHub was seen to hold arming or an entry in this episode; until then a reading may lag behind the request. */
  readonly seenHeld?: boolean;
  /** When it was held; arming from before that is only a late reading (A5.8). */
  readonly heldAt?: string | null;
  /** A stop that is decided but not said yet; `at`: when GitHub was asked to let go (A6.2). */
  readonly stopping?: Stop | null;
  /** The pull request is merged directly, for the gate branch declares no queue (A12.3). */
  readonly direct?: {
    /** Requests to merge that were decided in this episode. */
    readonly asked: number;
    /** Ended checks that were looked into and held nothing up (`examination`). */
    readonly examined: string | null;
    /** What GitHub said when it refused. */
    readonly said: string | null;
  } | null;
  /** Held because the project is frozen, not by a person (A16.3): armed again when the freeze ends. */
  readonly frozen?: FrozenBy | null;
  /** GitHub's "no" to the explicit request of this episode (A5.11), in its own words. */
  readonly enqueueRefused?: string | null;
  /** Times this episode was armed again after a freeze. */
  readonly thaws?: number;
  /** Automatic re-entries asked for in this episode (A7.2). */
  readonly reentries?: number;
  /** When the last re-entry was asked for, by GitHub's clock; null when none is under way. */
  readonly reentryAskedAt?: string | null;
  /** Re-entries of this episode whose request left no trace: the worker died before it was sent, or it was lost. */
  readonly reentriesLost?: number;
  /** GitHub's "no" to the last re-entry, and what it asks for (A7.5). */
  readonly reentryRefused?: { readonly message: string; readonly next: string } | null;
}

/** `wrong_tree` is for the steering seat, the others for the holder. */
export type NoticeKind = "landed" | "stopped" | "queue_conflict" | "wrong_tree";

/** What the holder is told. `key` is the idempotency key. */
export interface NoticeDraft {
  readonly key: string;
  readonly kind: NoticeKind;
  readonly episode: number;
  readonly title: string;
  readonly body: string;
  /** What the holder must do; null when nothing is asked. */
  readonly next: string | null;
  readonly reason: StopReason | null;
  /** Failed and cancelled required checks (A5.3). */
  readonly failedChecks: readonly FailedCheck[];
}

/** What the workflow is to do, in this order. Every effect is idempotent by its key. */
export type LandingEffect =
  /** Stamps and receipt identity in one transaction (A11.1). */
  | {
      readonly type: "stampLanding";
      readonly pullRequest: number;
      readonly headBranch: string;
      readonly target: string;
      readonly head: string;
      readonly mergeCommit: string;
      readonly mergedAt: string;
    }
  | { readonly type: "notice"; readonly notice: NoticeDraft }
  /** Freeze the project, in the transaction that stores why (A16.1). */
  | { readonly type: "freezeArming"; readonly reason: string }
  /** Ask GitHub to let go (A5.9). A failure comes back as `disarmFailed`. */
  | { readonly type: "disarm"; readonly key: string }
  /**
   * Enqueue once, explicitly (A5.11), or again after entries ahead left (A7.2) or a freeze ended (A16.3). `call` is
   * chosen by the reading it was decided from: merge-when-ready while required checks are outstanding.
   */
  | {
      readonly type: "enqueue";
      readonly key: string;
      readonly why: "grace" | "reentry" | "thaw";
      readonly call: "enqueue" | "enable_auto_merge";
    }
  /** Merge the pull request directly (A12.3). The answer comes back as `directMerge`. */
  | { readonly type: "mergeDirectly"; readonly key: string }
  /** Read what a stop needs, then decide again with it. */
  | { readonly type: "readStopEvidence" }
  /** Read the entries ahead and the shared files, then decide again with them. */
  | { readonly type: "readQueueAhead" }
  /** Record a project refresh error: names the missing identity (A11.1). */
  | {
      readonly type: "refreshError";
      readonly code: "merge_landing_identity_missing";
      readonly message: string;
    }
  /** Close the attempt, once nothing is owed to the holder any more (A10.4). */
  | { readonly type: "closeAttempt" }
  /** Look again after this many seconds though nothing was heard (A5.11, A4.7). */
  | { readonly type: "recheck"; readonly afterSeconds: number };

/** A fact given to the decision. */
export type LandingFact =
  | { readonly type: "observed"; readonly observation: Observation }
  | {
      readonly type: "stopEvidence";
      readonly observation: Observation;
      readonly evidence: StopEvidence;
    }
  | {
      readonly type: "queueAhead";
      readonly observation: Observation;
      readonly conflict: QueueConflict | null;
    }
  /** A new governed arming was accepted, or its reply was lost (A6.1). */
  | {
      readonly type: "armed";
      readonly observation: Observation;
      readonly candidate: Candidate;
      readonly certain: boolean;
      /** Nothing was asked of GitHub: the pull request is merged directly once it is ready (A12.3). */
      readonly direct?: boolean;
    }
  | { readonly type: "directMerge"; readonly answer: DirectMerge }
  /** A person held it, or a freeze did, and GitHub was confirmed to hold nothing (A6.2, A16.3). */
  | { readonly type: "held"; readonly at: string; readonly frozen?: FrozenBy }
  /** The freeze that held it has ended (A16.3). */
  | { readonly type: "thawed" }
  | {
      readonly type: "disarmResult";
      readonly ok: boolean;
      readonly why: string;
      readonly at: string;
    }
  /** Git found that the landed commit is not the clean merge (A16.1). */
  | { readonly type: "wrongTreeFound"; readonly wrong: WrongTree }
  /** GitHub refused to queue the unchanged head again (A7.5). */
  | {
      readonly type: "reentryRefused";
      /** The reading after it; null when none could be made. */
      readonly observation: Observation | null;
      readonly message: string;
      readonly next: string;
    }
  /** What became of an automatic re-entry is not known, and readings after it show nothing of it (A7.2). */
  | { readonly type: "reentryLost"; readonly observation: Observation | null }
  /** GitHub refused to queue what it had armed, or what a freeze had let go (A5.11, A16.3). */
  | {
      readonly type: "enqueueRefused";
      readonly observation: Observation | null;
      readonly message: string;
    }
  | { readonly type: "closedOut" }
  /** The attempt's pull request is closed, and its holder knows what there was to know (A10.4). */
  | { readonly type: "attemptClosed"; readonly at: string }
  /** A newer pull request took the attempt's place (A10.2). */
  | { readonly type: "superseded"; readonly by: number; readonly at: string };

export interface Decision {
  readonly state: LandingState;
  readonly effects: readonly LandingEffect[];
  /** Why, in words, for the web UI's current details and `yoke explain`. */
  readonly why: string;
}

/** Durations the decision needs, as data (seconds). */
export interface LandingPolicy {
  /** A5.11: armed and ready without an entry for longer than this. */
  readonly graceSeconds: number;
  /** How long a reading may lag behind an accepted arming request (github-facts 4.24). Default 10. */
  readonly settleSeconds?: number;
  /** When to look again while GitHub has not decided. Default 30. */
  readonly recheckSeconds?: number;
}

export const defaultPolicy: Required<LandingPolicy> = {
  graceSeconds: 90,
  settleSeconds: 10,
  recheckSeconds: 30,
};
