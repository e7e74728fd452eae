/** What makes two observations the same, and which decisions are worth waking a landing for. */
import { canonical } from "../canonical.js";
import type { Decision, LandingState, Observation } from "./model.js";

/** Everything a reader may see, less the times of the reading: equal texts mean nothing to store (A4.8). */
export function observedFacts(observation: Observation): string {
  const { readAt: _readAt, updatedAt: _updatedAt, ...facts } = observation;
  return canonical(facts);
}

/** The same, less what is for readers alone: equal texts lead to the same decision. */
export function decidedFacts({ checks: _checks, ...observation }: Observation): string {
  return observedFacts(observation);
}

/** The state less the reading it was last decided from. */
function substance(state: LandingState): string {
  const { lastObservation: _lastObservation, ...rest } = state;
  return canonical(rest);
}

/**
 * Whether a decision would do something: an effect, or another state. Upkeep asks this of the stored state for
 * every reading, so a signal lost on the way is sent again by the next pass (A4.1, A4.8). A mere `recheck` is the
 * landing's own timer and wakes nobody.
 */
export function wakes(state: LandingState, decision: Decision): boolean {
  return (
    decision.effects.some(({ type }) => type !== "recheck") ||
    substance(state) !== substance(decision.state)
  );
}
