/**
 * What yoke asks of git on a host. Every call runs git in its own process group with a cleaned
 * environment (no inherited `GIT_*`, no replace refs, no terminal prompt), full ref names,
 * `--end-of-options` where names are given, `-z` where paths are read, and bounded output.
 */
import type { DeclarationRead } from "../core/gate/rules.js";
import type { Integrity, LandingShape } from "../core/landing/integrity.js";
import type { Refusal } from "../core/refusals.js";

/** What the command reads of a lane before it asks for a landing (design.md, step 1). */
export interface LaneReading {
  /** Absolute, real path of the worktree. */
  readonly path: string;
  /** Absolute path of `--git-common-dir`. */
  readonly commonDir: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly head: string;
  readonly tree: string;
  /** Paths that are staged, changed or untracked, at most 20; empty on a clean lane. */
  readonly dirty: readonly string[];
  /** False for the main worktree of the repository, which is never removed. */
  readonly linkedWorktree: boolean;
  /** `.yoke/merge-queue.json` as it is committed at `head`; a changed file beside it does not count (A2.1). */
  readonly declaration?: DeclarationRead | undefined;
}

/** The proof that the gate branch carries the candidate (A11.2). */
export interface CarryingProof {
  /** First commit of the gate branch's first-parent history that contains the candidate. */
  readonly mergeCommit: string;
  readonly mergeTree: string;
  /** Commits of the candidate that the carrying merge brought in, oldest first. */
  readonly contributedCommits: readonly string[];
  readonly changedFiles: readonly string[];
  /** The fetched head of the gate branch. */
  readonly gateHead: string;
  readonly how: LandingShape;
  /** What stands for the landing (A16.2); a proof from before 0.2.0 is by ancestry. */
  readonly by?: "ancestry" | "content";
  /** Whether the landed commit is the clean merge it should be (A16.1); a proof from before 0.2.0 does not say. */
  readonly integrity?: Integrity;
}

/** What GitHub says merged the candidate; a local merge has only the commit that carried it. */
export interface LandedAs {
  readonly commit: string;
  /** The project takes a proof by content where there is none by ancestry (A16.2). */
  readonly byContent: boolean;
}

export type Proved =
  | { readonly ok: true; readonly proof: CarryingProof }
  | { readonly ok: false; readonly refusal: Refusal };

export type LaneRemoval =
  | { readonly removed: true; readonly branch: string; readonly worktree: string | null }
  | { readonly removed: false; readonly why: string; readonly next: string };

export interface GitCredential {
  readonly username: string;
  /** Never in argv, a URL or a log: handed to git by an askpass helper through its environment. */
  readonly password: string;
  /**
   * Where it may be shown, for instance `https://github.com`. Without it: at the origin of the
   * remote's URL, whatever that is, and nowhere else.
   */
  readonly origin?: string;
}

export interface Git {
  readLane(path: string): Promise<LaneReading>;
  version(): Promise<string>;
  /** Fetches the gate branch (when a remote is named), proves the candidate on it, and compares what landed (A11.2, A11.3, A16.1). */
  proveCarried(ask: {
    readonly repository: string;
    readonly remote: string | null;
    readonly gateBranch: string;
    readonly candidate: string;
    readonly landed?: LandedAs | undefined;
    readonly credential: GitCredential | null;
  }): Promise<Proved>;
  /** Every URL a push to the remote goes to. */
  pushUrls(ask: {
    readonly repository: string;
    readonly remote: string;
  }): Promise<readonly string[]>;
  /** Deletes a branch of the remote while it is at `oid`, and else throws (A16.6). */
  deleteRemoteBranch(ask: {
    readonly repository: string;
    readonly remote: string;
    readonly branch: string;
    readonly oid: string;
    readonly credential: GitCredential | null;
  }): Promise<void>;
  /** Removes the lane's worktree and branch only when nothing uncommitted or unmerged is in it (A11.4). */
  removeLane(ask: {
    readonly repository: string;
    readonly worktree: string;
    readonly branch: string;
    readonly candidate: string;
    readonly carriedBy: string;
  }): Promise<LaneRemoval>;
}
