/**
 * The decision of a landing (A5): a fact arrives, the whole state is looked at again, and out come the next state
 * and what to do, as data. Looking twice at the same state asks for nothing new: what is sent once is remembered in
 * the state.
 */
import { assess } from "./assess.js";
import { attemptOf, closedUnmerged, superseded, withClosing } from "./attempt.js";
import { describe } from "./describe.js";
import { afterDirectMerge, examination } from "./direct.js";
import { isAfter, later } from "./elapsed.js";
import { accept, isNews } from "./freshness.js";
import { merged } from "./merged.js";
import { mostLostReentries, withQueueAhead } from "./reentry.js";
import { conflicts, ready } from "./readiness.js";
import { letGo, letGoAgain, stop, stopUnarmed } from "./stopping.js";
import { draftStop } from "./stop-words.js";
import { foundWrongTree } from "./wrong-tree.js";
import {
  defaultPolicy,
  type Decision,
  type FrozenBy,
  type LandingEffect,
  type LandingFact,
  type LandingPolicy,
  type LandingState,
  type Observation,
  type StopEvidence,
  type StopReason,
} from "./model.js";

/**
 * Decides what a fact means. Never throws; a fact that changes nothing comes back as the same state without effects.
 * `landed` is left for `closed_out` only, and nothing leaves `closed_out` or `closed`.
 */
export function decide(state: LandingState, fact: LandingFact, policy: LandingPolicy): Decision {
  return withClosing(decided(state, fact, policy));
}

function decided(state: LandingState, fact: LandingFact, policy: LandingPolicy): Decision {
  if (state.phase === "closed_out" || state.phase === "closed") return unchanged(state);
  if (state.phase === "landed") {
    if (fact.type === "wrongTreeFound") return foundWrongTree(state, fact.wrong);
    return fact.type === "closedOut"
      ? unchanged({ ...state, phase: "closed_out" })
      : unchanged(state);
  }
  switch (fact.type) {
    case "observed":
      return isNews(state, fact.observation)
        ? look(accept(state, fact.observation), policy)
        : unchanged(state);
    case "armed":
      return look(beginEpisode(state, fact), policy);
    case "stopEvidence":
      return withEvidence(state, fact, policy);
    case "queueAhead":
      return withAhead(state, fact, policy);
    case "directMerge": {
      const seen = state.lastObservation;
      if (seen === null || state.phase !== "pending") return unchanged(state);
      const { state: next, stop: reason } = afterDirectMerge(state, fact.answer);
      if (reason !== null) {
        return stop(next, draftStop(reason, next, seen, null), seen.readAt, null);
      }
      const afterSeconds = policy.settleSeconds ?? defaultPolicy.settleSeconds;
      return { state: next, effects: [{ type: "recheck", afterSeconds }], why: describe(next) };
    }
    case "reentryRefused": {
      const { observation, message, next } = fact;
      return look({ ...newest(state, observation), reentryRefused: { message, next } }, policy);
    }
    case "reentryLost":
      return lostReentry(state, fact.observation, policy);
    case "enqueueRefused": {
      const { observation, message } = fact;
      return look({ ...newest(state, observation), enqueueRefused: message }, policy);
    }
    case "held":
      return unchanged(hold(state, fact.at, fact.frozen ?? null));
    case "thawed":
      return thaw(state, policy);
    case "disarmResult": {
      const draft = state.stopping ?? null;
      const at = state.lastObservation?.readAt ?? fact.at;
      return draft === null ? unchanged(state) : stop(state, draft, at, fact.ok ? null : fact.why);
    }
    case "attemptClosed":
      return attemptOf(state) === 0 ? unchanged(state) : unchanged(closedUnmerged(state, fact.at));
    case "superseded":
      return attemptOf(state) === 0
        ? unchanged(state)
        : unchanged(superseded(state, fact.by, fact.at));
    default:
      return unchanged(state);
  }
}

/** Asked for again under a key of its own, after a reading that shows nothing; not for ever. */
function lostReentry(
  state: LandingState,
  observation: Observation | null,
  policy: LandingPolicy,
): Decision {
  const seen = newest(state, observation);
  const lost = (seen.reentriesLost ?? 0) + 1;
  if (observation === null || lost > mostLostReentries) return look(seen, policy);
  return look({ ...seen, reentriesLost: lost, reentryAskedAt: null }, policy);
}

/** With a reading that came along, where it is news. */
function newest(state: LandingState, observation: Observation | null): LandingState {
  return observation !== null && isNews(state, observation) ? accept(state, observation) : state;
}

function unchanged(state: LandingState): Decision {
  return { state, effects: [], why: describe(state) };
}

/** A6.1: a new governed arming starts a new episode, also when its reply was lost: it may have happened. */
function beginEpisode(
  state: LandingState,
  fact: Extract<LandingFact, { type: "armed" }>,
): LandingState {
  const last = state.lastObservation;
  const newer =
    last !== null &&
    last.pullRequest === fact.observation.pullRequest &&
    isAfter(last.readAt, fact.observation.readAt);
  const begun: LandingState = {
    ...state,
    episode: state.episode + 1,
    phase: "pending",
    candidate: fact.candidate,
    admitted: true,
    stop: null,
    queueConflict: null,
    reentryRefused: null,
    ...((state.reentriesLost ?? 0) === 0 ? {} : { reentriesLost: 0 }),
    ...((state.enqueueRefused ?? null) === null ? {} : { enqueueRefused: null }),
    readySince: null,
    graceEnqueueSpent: false,
    disarmFailed: false,
    armedAt: fact.observation.readAt,
    seenHeld: false,
    heldAt: null,
    ...unfrozen(state),
    ...route(state, fact.direct ?? false),
    stopping: null,
    reentries: 0,
    reentryAskedAt: null,
  };
  return accept(begun, newer ? last : fact.observation);
}

/** A5.8. A stop that was said stays with it; what was about to stop is not said any more. */
function hold(state: LandingState, at: string, frozen: FrozenBy | null): LandingState {
  const seenAt = state.lastObservation?.readAt ?? at;
  return {
    ...state,
    phase: "held",
    heldAt: later(at, seenAt),
    ...(frozen === null ? unfrozen(state) : { frozen }),
    stopping: null,
    disarmFailed: false,
    queueConflict: null,
    readySince: null,
    reentryAskedAt: null,
  };
}

/** Decides from the newest reading. */
function look(state: LandingState, policy: LandingPolicy): Decision {
  const assessment = assess(state, policy);
  switch (assessment.is) {
    case "merged":
      return merged(state, policy);
    case "rest":
      return unchanged(state);
    case "wait": {
      const next = waiting(state, assessment.holds ?? false, assessment.readySince);
      const effects: LandingEffect[] =
        assessment.after === null ? [] : [{ type: "recheck", afterSeconds: assessment.after }];
      return { state: next, effects, why: describe(next) };
    }
    case "stopUnarmed":
      return stopUnarmed(state, assessment.reason);
    case "letGo":
      return letGo(state, assessment.reason);
    case "letGoAgain":
      return letGoAgain(state);
    case "askBase":
      return { state, effects: [{ type: "readStopEvidence" }], why: describe(state) };
    case "mergeDirectly":
      return mergeDirectly(state, policy);
    case "enqueueOnce":
      return enqueueOnce(state, policy);
    default:
      return { state, effects: [{ type: "readQueueAhead" }], why: describe(state) };
  }
}

/** What GitHub holds is pending, whatever it was before; a wait for re-entry outlives readings that decide nothing. */
function waiting(
  state: LandingState,
  holds: boolean,
  readySince: string | null | undefined,
): LandingState {
  const ready = readySince === undefined ? state : { ...state, readySince };
  if (!holds) return state.phase === "waiting_reentry" ? ready : { ...ready, phase: "pending" };
  return {
    ...ready,
    phase: "pending",
    admitted: true,
    seenHeld: true,
    heldAt: null,
    ...unfrozen(state),
    queueConflict: null,
    reentryAskedAt: null,
  };
}

/** A12.3: one more request, then one more reading whatever came of it. */
function mergeDirectly(state: LandingState, policy: LandingPolicy): Decision {
  const direct = state.direct ?? { asked: 0, examined: null, said: null };
  const asked = direct.asked + 1;
  const next: LandingState = { ...state, phase: "pending", direct: { ...direct, asked } };
  const afterSeconds = policy.settleSeconds ?? defaultPolicy.settleSeconds;
  return {
    state: next,
    effects: [
      { type: "mergeDirectly", key: `merge:${state.item}:${state.episode}:${asked}` },
      { type: "recheck", afterSeconds },
    ],
    why: describe(next),
  };
}

function route(state: LandingState, direct: boolean): Pick<LandingState, "direct"> {
  if (direct) return { direct: { asked: 0, examined: null, said: null } };
  return (state.direct ?? null) === null ? {} : { direct: null };
}

/** Nothing where nothing was frozen, so that such a state stays as it is stored. */
function unfrozen(state: LandingState): Pick<LandingState, "frozen"> {
  return (state.frozen ?? null) === null ? {} : { frozen: null };
}

/** A16.3: what the freeze let go is asked for again, unless the newest reading says that it is over or another head. */
function thaw(state: LandingState, policy: LandingPolicy): Decision {
  const seen = state.lastObservation;
  if (state.phase !== "held" || (state.frozen ?? null) === null || seen === null) {
    return unchanged(state);
  }
  const number = (state.thaws ?? 0) + 1;
  const next: LandingState = {
    ...state,
    phase: "pending",
    frozen: null,
    thaws: number,
    heldAt: null,
    armedAt: seen.readAt,
    seenHeld: false,
    graceEnqueueSpent: false,
  };
  const assessment = assess(next, policy);
  const over = assessment.is !== "wait" || assessment.holds === true;
  if (over || (state.direct ?? null) !== null) return look(next, policy);
  const settle = policy.settleSeconds ?? defaultPolicy.settleSeconds;
  return {
    state: next,
    effects: [
      {
        type: "enqueue",
        key: `enqueue:${state.item}:${state.episode}:thaw:${number}`,
        why: "thaw",
        call: ready(seen) ? "enqueue" : "enable_auto_merge",
      },
      { type: "recheck", afterSeconds: settle + 1 },
    ],
    why: describe(next),
  };
}

/** A5.11: GitHub missed its trigger. Once in an episode; the grace period then runs again. */
function enqueueOnce(state: LandingState, policy: LandingPolicy): Decision {
  const seen = state.lastObservation;
  if (seen === null) return unchanged(state);
  const next: LandingState = {
    ...state,
    phase: "pending",
    graceEnqueueSpent: true,
    readySince: seen.readAt,
  };
  return {
    state: next,
    effects: [
      {
        type: "enqueue",
        key: `enqueue:${state.item}:${state.episode}:grace`,
        why: "grace",
        call: ready(seen) ? "enqueue" : "enable_auto_merge",
      },
      { type: "recheck", afterSeconds: policy.graceSeconds + 1 },
    ],
    why: describe(next),
  };
}

/** A5.3, A5.12: the stop is said only when the base branch was asked and does not contain the candidate. */
function withEvidence(
  state: LandingState,
  fact: Extract<LandingFact, { type: "stopEvidence" }>,
  policy: LandingPolicy,
): Decision {
  const seen = isNews(state, fact.observation) ? accept(state, fact.observation) : state;
  const newest = seen.lastObservation;
  const assessment = assess(seen, policy);
  if (assessment.is !== "askBase" || newest === null) return look(seen, policy);
  // Read for an older observation: the base may have moved since.
  if (isAfter(newest.readAt, fact.observation.readAt)) return look(seen, policy);
  const { baseContainsCandidate, failedChecks } = fact.evidence;
  const direct = seen.direct ?? null;
  if (direct !== null && assessment.reason === "checks_failed" && failedChecks.length === 0) {
    const examined = { ...direct, examined: examination(newest) };
    return unchanged({ ...seen, direct: examined });
  }
  const goneBase = assessment.reason === "base_branch_gone";
  if (baseContainsCandidate === "no" || (goneBase && baseContainsCandidate === "unknown")) {
    const reason = stopReason(assessment.reason, seen, fact.evidence);
    return stop(seen, draftStop(reason, seen, newest, fact.evidence), newest.readAt, null);
  }
  const afterSeconds = policy.recheckSeconds ?? defaultPolicy.recheckSeconds;
  const why =
    baseContainsCandidate === "yes"
      ? `\`${seen.gateBranch}\` contains the candidate already; GitHub has not said merged yet`
      : `\`${seen.gateBranch}\` could not be asked for the candidate; nothing is said before it was`;
  return { state: seen, effects: [{ type: "recheck", afterSeconds }], why };
}

/** Why it left, from what was read with the stop. */
function stopReason(reason: StopReason, state: LandingState, evidence: StopEvidence): StopReason {
  if (reason !== "left_the_queue") return reason;
  if (evidence.failedChecks.length > 0) return "checks_failed";
  const seen = state.lastObservation;
  if (seen !== null && conflicts(seen)) return "conflicts_with_base";
  return (state.seenHeld ?? false) ? "left_the_queue" : "never_enqueued";
}

function withAhead(
  state: LandingState,
  fact: Extract<LandingFact, { type: "queueAhead" }>,
  policy: LandingPolicy,
): Decision {
  const seen = isNews(state, fact.observation) ? accept(state, fact.observation) : state;
  const assessment = assess(seen, policy);
  if (assessment.is !== "readAhead") return look(seen, policy);
  return withQueueAhead(seen, fact.conflict, assessment.again, policy);
}
