/** How a landing comes to a stop: GitHub lets go first where it holds something, then the stop is said once. */
import { draftStop, holdCommand } from "./stop-words.js";
import { describe } from "./describe.js";
import { stoppedNotice, tellOnce } from "./notices.js";
import type { Decision, LandingState, StopDraft, StopReason } from "./model.js";

/** Asks GitHub to let go; the stop follows with the result (A5.9, A6.2). */
export function letGo(state: LandingState, reason: StopReason): Decision {
  const seen = state.lastObservation;
  if (seen === null) return { state, effects: [], why: describe(state) };
  const next: LandingState = {
    ...state,
    phase: "pending",
    stopping: { ...draftStop(reason, state, seen, null), at: seen.readAt },
  };
  return disarm(next);
}

/** Asks again after no answer came back; the stop keeps the words it was decided with. */
export function letGoAgain(state: LandingState): Decision {
  const seen = state.lastObservation;
  const draft = state.stopping ?? null;
  if (seen === null || draft === null) return { state, effects: [], why: describe(state) };
  return disarm({ ...state, stopping: { ...draft, at: seen.readAt } });
}

function disarm(state: LandingState): Decision {
  const key = `disarm:${state.item}:${state.episode}`;
  return { state, effects: [{ type: "disarm", key }], why: describe(state) };
}

/** Says the stop. `heldBecause`: GitHub's words when it did not let go; null when it holds nothing. */
export function stop(
  state: LandingState,
  draft: StopDraft,
  at: string,
  heldBecause: string | null,
): Decision {
  const full =
    heldBecause === null
      ? { ...draft, at }
      : {
          ...draft,
          at,
          message: `${draft.message} GitHub was asked to let go of the pull request and did not confirm it: ${heldBecause}.`,
          next: `First run \`${holdCommand(state.item)}\`, before a fix is pushed or the merge re-entered. ${draft.next}`,
        };
  const stopped: LandingState = {
    ...state,
    phase: "stopped",
    stop: full,
    stopping: null,
    disarmFailed: heldBecause !== null,
    readySince: null,
    reentryAskedAt: null,
  };
  const told = tellOnce(stopped, stoppedNotice(stopped, full));
  return { state: told.state, effects: told.effects, why: describe(told.state) };
}

/** A stop of a pull request that nothing was armed on: recorded, and nobody is woken for it. */
export function stopUnarmed(state: LandingState, reason: StopReason): Decision {
  const seen = state.lastObservation;
  if (seen === null) return { state, effects: [], why: describe(state) };
  const next: LandingState = {
    ...state,
    phase: "stopped",
    stop: { ...draftStop(reason, state, seen, null), at: seen.readAt },
  };
  return { state: next, effects: [], why: describe(next) };
}
