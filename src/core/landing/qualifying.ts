/** Which qualification stands for a commit and tree, and why none does (A1.2). */
import type { Qualification } from "../records.js";
import { refuse, type Refusal } from "../refusals.js";

export interface Verified {
  readonly commit: string;
  readonly tree: string;
}

/**
 * The newest qualification of exactly this commit and tree under the current requirement, when it passed; otherwise
 * the refusal that says what is there instead. A later failure outweighs an earlier pass of the same commit.
 */
export function qualifying(
  item: string,
  head: Verified,
  qualifications: readonly Qualification[],
  requirementDigest: string,
): Qualification | Refusal {
  const newestFirst = [...qualifications].sort(
    (a, b) => Date.parse(b.recordedAt) - Date.parse(a.recordedAt),
  );
  const exact = newestFirst.filter(
    ({ commit, tree }) => commit === head.commit && tree === head.tree,
  );
  const [current] = exact.filter((one) => one.requirementDigest === requirementDigest);
  const seen = { item, commit: head.commit, tree: head.tree };
  if (current?.verdict === "passed") return current;
  if (current !== undefined) {
    return refuse(
      "qualification_failed",
      `Verification of ${head.commit} failed at ${current.recordedAt}: ${current.evidence}`,
      { ...seen, qualification: current.id },
    );
  }
  const [older] = exact;
  if (older !== undefined) {
    return refuse(
      "qualification_outdated",
      `${head.commit} was verified (${older.verdict}) at ${older.recordedAt} under requirement ${older.requirementDigest}; the project now requires ${requirementDigest}.`,
      { ...seen, qualification: older.id, requirement: requirementDigest },
    );
  }
  return refuse("qualification_missing", missing(item, head, newestFirst), seen);
}

function missing(item: string, head: Verified, newestFirst: readonly Qualification[]): string {
  const sameCommit = newestFirst.find(({ commit }) => commit === head.commit);
  if (sameCommit !== undefined) {
    return `The qualification of ${head.commit} is for tree ${sameCommit.tree}; the lane has tree ${head.tree}.`;
  }
  const [newest] = newestFirst;
  return newest === undefined
    ? `${item} has no qualification at all; ${head.commit} was not verified.`
    : `The newest qualification of ${item} is for commit ${newest.commit} (${newest.verdict}, ${newest.recordedAt}); the lane's head is ${head.commit}.`;
}
