/** Whether a group was run on the commit that landed (A16.1): what ended on it before it was on the branch was the group's. */
import { isAfter } from "./elapsed.js";
import type { LandingState } from "./model.js";

/** When a report on the commit ended; null while it runs. */
export type ReportEnd = string | null;

/** A push to the branch starts runs on the same commit; none of them ends before the merge. */
export function ranOnGroup(ends: readonly ReportEnd[], mergedAt: string): boolean {
  return ends.some((end) => end !== null && !isAfter(end, mergedAt));
}

/** The state with what is known of the group; null: it stays not known. */
export function withGroupRun(state: LandingState, verifiedByGroup: boolean | null): LandingState {
  if (state.landed === null || verifiedByGroup === null) return state;
  return { ...state, landed: { ...state.landed, verifiedByGroup } };
}

/** How a landing is called that no group verified. */
export const notVerifiedByGroup = "landed, not verified by a group";
