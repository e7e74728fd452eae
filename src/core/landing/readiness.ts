/** What a reading says about mergeability: three values, never two (cases A12, A13). */
import type { Observation } from "./model.js";

/** GitHub is still computing: nothing may be decided from it. */
export function undecided({ mergeable, mergeState }: Observation): boolean {
  return mergeable === "UNKNOWN" || mergeState === "UNKNOWN";
}

/** GitHub has decided that the pull request conflicts with its base. */
export function conflicts({ mergeable, mergeState }: Observation): boolean {
  return mergeable === "CONFLICTING" || (mergeable !== "UNKNOWN" && mergeState === "DIRTY");
}

/**
 * Nothing is left to wait for, so the queue takes it now. `UNSTABLE` is ready: only checks that are not required
 * run or failed, and merge-when-ready is refused there (github-facts 1.3).
 */
export function ready(observation: Observation): boolean {
  return (
    observation.mergeable === "MERGEABLE" &&
    !observation.isDraft &&
    ["CLEAN", "HAS_HOOKS", "UNSTABLE"].includes(observation.mergeState)
  );
}
