/** Which observations count (A4.8): GitHub's own times order them, and a merge cannot be unsaid. */
import { isAfter } from "./elapsed.js";
import { decidedFacts } from "./observation.js";
import type { LandingState, Observation } from "./model.js";

/**
 * True when the observation is news to this state. Refused: a reading of another pull request than the armed one,
 * one made before the last accepted, the same reading again, and one whose pull request is older by its own
 * `updatedAt` (a replica that lags, github-facts 4.24). A merge is final: it counts whenever it was read, and after
 * it nothing else does. Two different readings within one second, the resolution of GitHub's `Date`, count in the
 * order they came.
 */
export function isNews(state: LandingState, observation: Observation): boolean {
  const last = state.lastObservation;
  if (state.pullRequest !== null && state.pullRequest.number !== observation.pullRequest) {
    return state.phase === "unarmed";
  }
  if (last === null || last.pullRequest !== observation.pullRequest) return true;
  if (observation.state === "MERGED" && last.state !== "MERGED") return true;
  if (last.state === "MERGED" && observation.state !== "MERGED") return false;
  if (isAfter(last.updatedAt, observation.updatedAt)) return false;
  if (isAfter(observation.readAt, last.readAt)) return true;
  return (
    !isAfter(last.readAt, observation.readAt) && decidedFacts(last) !== decidedFacts(observation)
  );
}

/** The state after a reading: what was read, which pull request it is, and whether GitHub holds it (A4.5). */
export function accept(state: LandingState, observation: Observation): LandingState {
  const { pullRequest: number, nodeId, url } = observation;
  const holds = observation.state === "OPEN" && holdsAnything(observation);
  const counts = holds && state.phase !== "stopped" && state.phase !== "held";
  return {
    ...state,
    pullRequest: { number, nodeId, url },
    lastObservation: observation,
    admitted: state.admitted || counts,
    seenHeld: (state.seenHeld ?? false) || counts,
  };
}

/** GitHub shows merge-when-ready or a queue entry, in whatever state. */
export function holdsAnything(observation: Observation): boolean {
  return observation.autoMerge !== null || observation.queue.read === "entry";
}
