/** One run of a repository's local queue, as plain data that crosses the borders of workflows and activities. */
import type { Conviction, Deferral, Evidence } from "../batch/trial.js";
import type { Judged } from "../batch/size.js";
import type { Resources, WaitingGate } from "../gates/schedule.js";
import type { Refusal } from "../../refusals.js";

/** A candidate that waits, as it was enqueued. */
export interface Queued {
  readonly id: string;
  readonly branch: string;
  readonly head: string;
}

/** What a run finds when it looks. */
export type Opened =
  | {
      readonly is: "open";
      /** The commit the declared base is at. */
      readonly base: string;
      /** In queue order. */
      readonly queue: readonly Queued[];
      readonly batchSize: number | "auto";
      readonly judged: Judged;
      /** What the gates of this host may use together. */
      readonly host: Resources;
    }
  | { readonly is: "refused"; readonly refusals: readonly Refusal[] };

/** A trial's merge, built without a working tree. */
export type Built =
  | { readonly is: "built"; readonly commit: string; readonly gates: readonly WaitingGate[] }
  | {
      readonly is: "conflict";
      readonly member: string;
      readonly paths: readonly string[];
      readonly alone: boolean;
    }
  /** The merged tree's own declaration cannot be used, or weakens a gate of the base (C2.4). */
  | { readonly is: "unreadable"; readonly evidence: readonly Evidence[] }
  | { readonly is: "undecidable"; readonly why: string };

/** One gate on one tree, against the base. */
export type GateVerdict =
  | { readonly is: "passed" }
  | { readonly is: "failed"; readonly evidence: Evidence }
  | { readonly is: "unreadable"; readonly evidence: Evidence }
  | { readonly is: "undecidable"; readonly why: string };

export type Landed =
  | { readonly is: "landed" }
  /** Somebody else moved the base: nothing was written, and the batch is tested again on the new base. */
  | { readonly is: "base_moved" }
  | { readonly is: "refused"; readonly refusals: readonly Refusal[] };

/** What a run did. Every candidate that waited is named once. */
export interface RunSummary {
  /** The base before the first and after the last landing (case C38). */
  readonly base: { readonly before: string; readonly after: string } | null;
  readonly landed: readonly Queued[];
  readonly convicted: readonly Conviction[];
  /** Wait for the next run. */
  readonly deferred: readonly Deferral[];
  readonly left: readonly string[];
  readonly flaky: readonly Evidence[];
  readonly undecidable: string | null;
  readonly refusals: readonly Refusal[];
  readonly trials: number;
  readonly gateRuns: number;
}
