/** A re-land attempt (A10): a landing of an item that landed before, named by its pull request. */
import { openLanding } from "./open-landing.js";
import type { AttemptEnd, Decision, LandingState } from "./model.js";

/** Phases in which neither GitHub is asked nor anything armed any more. */
export const endedPhases = ["landed", "closed_out", "closed"] as const;

export function hasEnded({ phase }: Pick<LandingState, "phase">): boolean {
  return (endedPhases as readonly string[]).includes(phase);
}

/** 0: the item's first landing. */
export function attemptOf(state: Pick<LandingState, "attempt">): number {
  return state.attempt ?? 0;
}

/**
 * An attempt before its first arming. Episodes go on counting where the item's landings left off, so that keys of
 * reservations and notices stay unique for the item.
 */
export function openAttempt(of: {
  readonly project: string;
  readonly item: string;
  readonly gateBranch: string;
  readonly pullRequest: NonNullable<LandingState["pullRequest"]>;
  readonly episode: number;
}): LandingState {
  const { pullRequest, episode } = of;
  return { ...openLanding(of), attempt: pullRequest.number, pullRequest, episode };
}

/** An attempt that ended and whose pull request is there again begins anew; its episodes go on. */
export function reopened(state: LandingState, episode: number): LandingState {
  const { project, item, gateBranch, pullRequest, noticed } = state;
  if (pullRequest === null) return state;
  return { ...openAttempt({ project, item, gateBranch, pullRequest, episode }), noticed };
}

/** A stopped attempt whose pull request is closed is to be closed itself, after its notice (A10.4). */
export function withClosing(decision: Decision): Decision {
  const { state, effects } = decision;
  const over =
    attemptOf(state) > 0 && state.phase === "stopped" && state.lastObservation?.state === "CLOSED";
  return over ? { ...decision, effects: [...effects, { type: "closeAttempt" }] } : decision;
}

/** The state of an attempt that ended without a merge; the item's landing is not touched by it. */
export function ended(state: LandingState, end: AttemptEnd): LandingState {
  return { ...state, phase: "closed", ended: end, stopping: null, readySince: null };
}

export function closedUnmerged(state: LandingState, at: string): LandingState {
  const reason = `pull request ${attemptOf(state)} closed without merging`;
  return ended(state, { outcome: "closed_unmerged", reason, at });
}

export function superseded(state: LandingState, by: number, at: string): LandingState {
  return ended(state, { outcome: "superseded", reason: `superseded by pull request ${by}`, at });
}
