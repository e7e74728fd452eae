/** How every landing begins. */
import type { LandingState } from "./model.js";

/** A landing before its first arming. */
export function openLanding(of: {
  readonly project: string;
  readonly item: string;
  readonly gateBranch: string;
}): LandingState {
  return {
    project: of.project,
    item: of.item,
    gateBranch: of.gateBranch,
    episode: 0,
    phase: "unarmed",
    pullRequest: null,
    candidate: null,
    admitted: false,
    stop: null,
    landed: null,
    queueConflict: null,
    readySince: null,
    graceEnqueueSpent: false,
    disarmFailed: false,
    lastObservation: null,
    noticed: [],
  };
}
