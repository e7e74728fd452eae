/** Trials of merged trees, and what came of them, as plain data. */

/** Candidates merged onto the base in this order, and the gates run on the tree that results. None: the base itself. */
export interface Trial {
  readonly members: readonly string[];
  /** A result that is known already does not do: the tree is built and tested now. */
  readonly again: boolean;
}

/** What gates said against a tree: shown to people as it is. */
export interface Evidence {
  readonly gate: string;
  /** Failing signals that the base does not have, or one line why the gate could not be read. */
  readonly signals: readonly string[];
}

export type Verdict =
  /** Every gate that applies ran on exactly this tree, and none has a signal that the base does not have. */
  | { readonly is: "passed" }
  | { readonly is: "failed"; readonly evidence: readonly Evidence[] }
  /** A gate gave nothing that can be compared (C4.4): the tree is not clean, and not proved to be worse either. */
  | { readonly is: "unreadable"; readonly evidence: readonly Evidence[] }
  /**
   * `member` does not merge with those before it in this trial, or (`alone`) with the base itself; nothing was tested.
   */
  | {
      readonly is: "conflict";
      readonly member: string;
      readonly paths: readonly string[];
      readonly alone: boolean;
    }
  /** No tree can be judged: no baseline, or a program that cannot be executed (C4.3). */
  | { readonly is: "undecidable"; readonly why: string };

/** A candidate that does not land with this batch because of what it does. */
export interface Conviction {
  readonly member: string;
  /** `refused`: its gates could not be read, so it is not said to be worse than the base. */
  readonly as: "rejected" | "refused";
  readonly evidence: readonly Evidence[];
  /** What lands before it and it fails together with; empty: it fails alone on the base. */
  readonly together: readonly string[];
}

/** A conflict with others of the batch: the candidate is tried again once they landed or left. */
export interface Deferral {
  readonly member: string;
  readonly paths: readonly string[];
}

/** What a batch comes to. Every member is in exactly one of `land`, `convicted`, `deferred` and `left`. */
export interface BatchResult {
  /** In queue order. Exactly these, merged in this order, passed. */
  readonly land: readonly string[];
  readonly convicted: readonly Conviction[];
  readonly deferred: readonly Deferral[];
  /** Stay queued: nothing was proved for or against them. */
  readonly left: readonly string[];
  /** Failures that went away by themselves: nobody is charged with them (C4.11). */
  readonly flaky: readonly Evidence[];
  /** Why nothing could be judged; null otherwise. */
  readonly undecidable: string | null;
}
