/** What a run asks of a host that has the repository: activities, so each may be called again. */
import type { BatchResult } from "../batch/trial.js";
import type { Built, GateVerdict, Landed, Opened } from "./model.js";

/** What every call is told. */
export interface QueueRun {
  /** The repository's git common directory on that host. */
  readonly commonDir: string;
  /** Whose run it is, in the records. */
  readonly actor: string;
  /** Full verdicts, and nothing is written (C5.4). */
  readonly dryRun: boolean;
  /** The branches and worktrees of what landed are removed (C5.4). */
  readonly prune: boolean;
}

/** Of the commit `base`, which the declared base was at when the batch was chosen. */
interface OnBase extends QueueRun {
  readonly base: string;
}

export interface QueueHost {
  /** Finishes or rolls back what a run that died left (C5.5), and reads the queue. */
  openQueue(ask: QueueRun): Promise<Opened>;
  /** No working tree is touched. The same members on the same base are the same commit. */
  buildTrial(ask: OnBase & { readonly members: readonly string[] }): Promise<Built>;
  /** Runs a gate in a throwaway worktree, and on the base when that result is not known. `runs`: how many that were. */
  judgeGate(
    ask: OnBase & { readonly commit: string; readonly gate: string },
  ): Promise<{ readonly verdict: GateVerdict; readonly runs: number }>;
  recordVerdicts(ask: OnBase & { readonly result: BatchResult }): Promise<void>;
  /** Moves the base from `base` to `commit`, reads it back, and then removes what may go (C5). */
  landBatch(
    ask: OnBase & { readonly commit: string; readonly members: readonly string[] },
  ): Promise<Landed>;
}
