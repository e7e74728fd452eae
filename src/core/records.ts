/** The records yoke keeps, as plain data (glossary of ARCHITECTURE.md). Times are ISO 8601 strings in UTC. */
import type {
  FailedCheck,
  LandingState,
  NoticeKind,
  Observation,
  StopReason,
} from "./landing/model.js";

import type { Integrity } from "./landing/integrity.js";

/** Where a secret is kept; the secret itself is never stored, logged or put in a workflow input. */
export type SecretRef = `env:${string}` | `file:${string}`;

export type ProjectCredential =
  | { readonly kind: "token"; readonly token: SecretRef }
  | {
      readonly kind: "app";
      readonly appId: number;
      readonly installationId: number;
      readonly privateKey: SecretRef;
    };

export interface Project {
  /** Upper-case prefix of its items, `[A-Z][A-Z0-9]{1,9}`. */
  readonly key: string;
  readonly owner: string;
  readonly name: string;
  /** GitHub's immutable repository id; a webhook must name it (B5.1). */
  readonly repositoryId: number;
  readonly apiUrl: string;
  readonly gateBranch: string;
  /** What close-out proves a landing by; `content` also takes a queue that squashes or rebases (A16.2). */
  readonly closeOut: "ancestry" | "content";
  /** Close-out deletes the lane's branch on GitHub (A16.6). */
  readonly deleteRemoteBranches: boolean;
  readonly credential: ProjectCredential;
  /** Connection id in the webhook's URL, and where its secret is kept. */
  readonly connection: string;
  readonly webhookSecret: SecretRef | null;
  /** Digest of the project's current verification requirement (A1.2). */
  readonly requirementDigest: string;
  readonly requirement: string;
  /** Seconds between two upkeep passes (A4.1). */
  readonly upkeepSeconds: number;
  /** Last thing that went wrong when the project was refreshed from GitHub (A5.10). */
  readonly refreshError: {
    readonly code: string;
    readonly message: string;
    readonly at: string;
  } | null;
  readonly refreshedAt: string | null;
  readonly createdAt: string;
}

export type ItemStatus = "open" | "landing" | "landed";

export interface Item {
  readonly key: string;
  readonly project: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly status: ItemStatus;
  readonly mergedAt: string | null;
  readonly mergeQueueLandedAt: string | null;
  readonly mergeCommit: string | null;
  readonly createdAt: string;
}

export interface Predecessor {
  readonly item: string;
  readonly title: string;
  readonly status: ItemStatus;
}

export interface Lane {
  readonly id: string;
  readonly item: string;
  readonly branch: string;
  /** Absolute path of the worktree on `host`. */
  readonly path: string;
  readonly commonDir: string;
  readonly host: string;
  readonly remote: string | null;
  readonly state: "active" | "removed";
  /** Lanes of the item come together in it (A12.4, A13.1). */
  readonly integration: boolean;
  readonly registeredAt: string;
}

export type WakeRoute =
  | { readonly kind: "exec"; readonly argv: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly secret: SecretRef | null }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "operator" };

export interface Session {
  readonly id: string;
  /** What runs it: name of a harness, or `person`. */
  readonly harness: string;
  readonly wakeRoute: WakeRoute;
  readonly host: string;
  readonly project: string | null;
  /** True for the project's steering seat (A6.3). */
  readonly steering: boolean;
  readonly state: "active" | "ended";
  readonly registeredAt: string;
  readonly endedAt: string | null;
}

export interface Claim {
  readonly item: string;
  readonly session: string;
  readonly claimedAt: string;
}

export interface Qualification {
  readonly id: string;
  readonly item: string;
  readonly commit: string;
  readonly tree: string;
  readonly requirementDigest: string;
  readonly verdict: "passed" | "failed";
  /** What was run and what it said. */
  readonly evidence: string;
  readonly recordedBy: string;
  readonly recordedAt: string;
}

/** What GitHub last said about one open landing, and what its workflow last said: two columns of truth. */
export interface LandingRecord {
  readonly item: string;
  /** The pull request that names a re-land attempt (A10.1); 0 for the item's first landing. */
  readonly attempt: number;
  readonly project: string;
  readonly pullRequest: number | null;
  readonly nodeId: string | null;
  /** The workflow's own view. `version` grows with every change and never goes back. */
  readonly state: LandingState;
  readonly version: number;
  readonly why: string;
  readonly stateAt: string;
  /** The newest observation, by GitHub's clock; null before the first. */
  readonly observation: Observation | null;
  readonly observedAt: string | null;
  readonly result: string | null;
  readonly verification: string | null;
}

export interface Receipt {
  readonly item: string;
  readonly pullRequest: number;
  readonly headBranch: string;
  readonly target: string;
  readonly head: string;
  /** What GitHub said merged it; identity, append-only (A11.1). */
  readonly mergeCommit: string;
  readonly mergedAt: string;
  readonly recordedAt: string;
  /** Close-out's enrichment (A11.4); null before it. */
  readonly closeOut: {
    /** First commit of the gate branch's first-parent history that carried the candidate (A11.2). */
    readonly carriedBy: string;
    /** What stands for the landing: ancestry, or content where the queue squashes or rebases (A16.2). */
    readonly proof: "ancestry" | "content";
    /** Whether what landed is the clean merge (A16.1); null for a landing from before it was asked. */
    readonly integrity: Exclude<Integrity, { is: "wrong_tree" }> | null;
    /** Whether a group was run on the landed commit (A16.1); null when it is not known. */
    readonly verifiedByGroup: boolean | null;
    readonly result: string | null;
    readonly verification: string | null;
    readonly changedFiles: readonly string[];
    readonly contributedCommits: readonly string[];
    readonly at: string;
  } | null;
}

export interface Notice {
  readonly id: string;
  /** Idempotency key: unique. */
  readonly key: string;
  readonly project: string;
  readonly item: string;
  readonly episode: number;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly body: string;
  readonly next: string | null;
  readonly reason: StopReason | null;
  readonly failedChecks: readonly FailedCheck[];
  /** Session it went to; null while none could be found. */
  readonly recipient: string | null;
  readonly state: "pending" | "delivered" | "acknowledged";
  readonly createdAt: string;
  readonly deliveredAt: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** Reserve, send, complete (design.md "Effects"). */
export type ReservationState = "reserved" | "completed" | "uncertain" | "released";

export interface Reservation {
  readonly key: string;
  readonly item: string;
  readonly kind: string;
  readonly state: ReservationState;
  readonly detail: string;
  readonly reservedAt: string;
  readonly settledAt: string | null;
}
