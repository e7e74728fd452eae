/** Conflicts with entries ahead only, and the automatic re-entry behind them (A7.1, A7.2). */
import { describe } from "./describe.js";
import { queueConflictNotice, tellOnce } from "./notices.js";
import { ready } from "./readiness.js";
import {
  defaultPolicy,
  type Decision,
  type LandingEffect,
  type LandingPolicy,
  type LandingState,
  type QueueConflict,
} from "./model.js";

/** Requests of one episode that may be lost before the re-entry is given up: then the grace period ends in a stop. */
export const mostLostReentries = 2;

/**
 * What the entries ahead mean. The first reading is the snapshot; later ones say whether its entries have left.
 * Without a list (`null`) nothing is re-entered: it is read again (A7.3).
 */
export function withQueueAhead(
  state: LandingState,
  conflict: QueueConflict | null,
  again: boolean,
  policy: LandingPolicy,
): Decision {
  const look: LandingEffect = {
    type: "recheck",
    afterSeconds: policy.recheckSeconds ?? defaultPolicy.recheckSeconds,
  };
  if (conflict === null) {
    return {
      state,
      effects: [look],
      why: "the entries ahead could not be listed; nothing is queued again without them",
    };
  }
  if (!again) {
    const waiting: LandingState = {
      ...state,
      phase: "waiting_reentry",
      queueConflict: conflict,
      reentryAskedAt: null,
      readySince: null,
    };
    const told = tellOnce(waiting, queueConflictNotice(waiting, conflict));
    return { state: told.state, effects: [...told.effects, look], why: describe(told.state) };
  }
  const snapshot = state.queueConflict?.ahead ?? [];
  const still = snapshot.filter((number) => conflict.ahead.includes(number));
  if (still.length > 0) {
    const list = still.map((number) => `#${number}`).join(", ");
    return {
      state,
      effects: [look],
      why: `waits until the entries ahead have left (still queued: ${list}), then queues the unchanged head again`,
    };
  }
  return reenter(state, policy);
}

/**
 * Queues the unchanged head again. An entry that stays `UNMERGEABLE` is taken out first: the queue would answer
 * "already queued", and it blocks those behind it (github-facts 4.2).
 */
function reenter(state: LandingState, policy: LandingPolicy): Decision {
  const seen = state.lastObservation;
  if (seen === null) return { state, effects: [], why: describe(state) };
  const number = (state.reentries ?? 0) + 1;
  const next: LandingState = { ...state, reentries: number, reentryAskedAt: seen.readAt };
  const name = `${state.item}:${state.episode}:reentry:${number}`;
  const effects: LandingEffect[] = [];
  if (seen.queue.read === "entry") effects.push({ type: "disarm", key: `disarm:${name}` });
  effects.push(
    {
      type: "enqueue",
      key: `enqueue:${name}`,
      why: "reentry",
      call: ready(seen) ? "enqueue" : "enable_auto_merge",
    },
    { type: "recheck", afterSeconds: policy.graceSeconds + 1 },
  );
  return { state: next, effects, why: describe(next) };
}
