/** What is known of the required checks of one head and of the workflow runs behind them, as plain data (A8.2). */

/** What an annotation of a cancelled job says of it, told by its text in one place (`src/github/cancel-texts.ts`). */
export type CancelWords =
  /** Another run of its concurrency group took its place. */
  | "concurrency"
  /** The job reached its own `timeout-minutes`. */
  | "time_limit"
  | "by_hand"
  /** No runner took the job. */
  | "no_runner";

/** The newest report of a required check on the head; `absent`: none was ever made. */
export interface RequiredReport {
  readonly name: string;
  /** App that must report it, or that did; null: anybody may. */
  readonly app: number | null;
  readonly state:
    "passed" | "failed" | "cancelled" | "never_started" | "in_progress" | "queued" | "absent";
  readonly url: string | null;
  /** Workflow run behind the report; null: it was not made by Actions. */
  readonly run: number | null;
}

export type RunState = "queued" | "in_progress" | "passed" | "failed" | "cancelled";

/** A workflow run at the head, in its newest attempt. */
export interface WorkflowRun {
  readonly id: number;
  readonly workflow: { readonly id: number; readonly name: string };
  /** Counts the runs of its workflow: a higher one is newer. */
  readonly number: number;
  readonly attempt: number;
  readonly state: RunState;
  readonly event: string;
  readonly branch: string | null;
  readonly head: string;
  readonly createdAt: string;
  readonly url: string;
}

/** One job of one attempt of a run. */
export interface Job {
  readonly run: number;
  readonly attempt: number;
  readonly name: string;
  readonly state: RunState;
  /** A runner took it. */
  readonly started: boolean;
  readonly endedAt: string | null;
  readonly says: CancelWords | null;
}

export interface CheckEvidence {
  /** Head of the pull request, as it was read with the reports. */
  readonly head: string;
  readonly reports: readonly RequiredReport[];
  readonly runs: readonly WorkflowRun[];
  /** Jobs of the runs that a rerun is considered for, those of every attempt. */
  readonly jobs: readonly Job[];
}
