/** Where a run stands, for whoever waits for it. */

export interface Progress {
  readonly doing: "looking" | "testing" | "landing";
  /** Branches of the batch. */
  readonly batch: readonly string[];
  /** Candidates in the tree that is being tested. */
  readonly trial: readonly string[];
  /** Gates that run now. */
  readonly gates: readonly string[];
  /** Trees that were tested, this one included. */
  readonly trials: number;
}

/** One line. */
export function describeProgress({ doing, batch, trial, gates, trials }: Progress): string {
  if (doing === "looking") return "looking at the queue";
  if (doing === "landing") return `landing ${count(trial.length, "candidate")}`;
  const part = trial.length === batch.length ? "" : `${trial.length} of `;
  const what = `tree ${trials}: ${part}${count(batch.length, "candidate")} (${batch.join(", ")})`;
  return gates.length === 0 ? `merging for ${what}` : `running ${gates.join(", ")} on ${what}`;
}

const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? "" : "s"}`;
