/**
 * The one table of A5: what the newest reading means for a landing, as data. Rows are in order of priority; the
 * first that fits decides. `decide.ts` turns the answer into a state and effects.
 */
import { assessDirect } from "./direct.js";
import { isAfter, secondsBetween, surelyBefore } from "./elapsed.js";
import { conflicts, ready, undecided } from "./readiness.js";
import { holdsAnything } from "./freshness.js";
import {
  defaultPolicy,
  type LandingPolicy,
  type LandingState,
  type Observation,
  type StopReason,
} from "./model.js";

export type Assessment =
  | { readonly is: "merged" }
  /** Nothing to do: not armed, held, stopped, or waiting for GitHub to let go. */
  | { readonly is: "rest" }
  /** GitHub will decide. `after`: look again then, in seconds; null: upkeep is enough. */
  | {
      readonly is: "wait";
      readonly after: number | null;
      /** GitHub holds arming or an entry that can merge. */
      readonly holds?: true;
      readonly readySince?: string | null;
    }
  /** A stop of a pull request that nothing was armed on: no base to ask, nobody to tell. */
  | { readonly is: "stopUnarmed"; readonly reason: StopReason }
  /** GitHub still holds it: it must let go before the stop is said (A5.9, A6.2). */
  | { readonly is: "letGo"; readonly reason: StopReason }
  /** It was asked and no answer came back: asking twice is harmless. */
  | { readonly is: "letGoAgain" }
  /** GitHub holds nothing: the base branch is asked before the stop is said (A5.12). */
  | { readonly is: "askBase"; readonly reason: StopReason }
  | { readonly is: "enqueueOnce" }
  | { readonly is: "mergeDirectly" }
  | { readonly is: "readAhead"; readonly again: boolean };

type Row = (
  state: LandingState,
  seen: Observation,
  policy: Required<LandingPolicy>,
) => Assessment | null;

/** What the state's newest reading means. Pure; the same state always gives the same answer. */
export function assess(state: LandingState, policy: LandingPolicy): Assessment {
  const seen = state.lastObservation;
  if (seen === null) return { is: "rest" };
  const full = { ...defaultPolicy, ...policy };
  for (const row of rows) {
    const assessment = row(state, seen, full);
    if (assessment !== null) return assessment;
  }
  return { is: "askBase", reason: "left_the_queue" };
}

const rows: readonly Row[] = [
  // A5.1: a merge wins over everything.
  (_state, seen) => (seen.state === "MERGED" ? { is: "merged" } : null),
  // Only a new governed arming takes a stop back (A5.13, A6.1).
  (state) => (state.phase === "stopped" ? { is: "rest" } : null),
  stopping,
  closed,
  // A5.8
  (state, seen) => (state.phase === "held" && !armedSinceHold(state, seen) ? { is: "rest" } : null),
  // A4.5: opened for verification and never armed.
  (state, seen) =>
    !state.admitted && !(seen.state === "OPEN" && holdsAnything(seen)) ? { is: "rest" } : null,
  // A5.9
  (state, seen) =>
    state.candidate !== null && seen.head !== state.candidate.commit
      ? { is: "letGo", reason: "head_changed" }
      : null,
  // A12.3
  (state, seen, policy) =>
    (state.direct ?? null) === null ? null : assessDirect(state, seen, policy),
  // A4.7: an unreadable queue proves nothing.
  (_state, seen, { recheckSeconds }) =>
    seen.queue.read === "unreadable" ? { is: "wait", after: recheckSeconds } : null,
  queueConflict,
  armed,
  // A5.6
  (_state, seen, { recheckSeconds }) =>
    undecided(seen) ? { is: "wait", after: recheckSeconds } : null,
  lagging,
];

/** Waits for GitHub to let go; a workflow that was lost before it asked does not leave the stop unsaid. */
function stopping(
  state: LandingState,
  seen: Observation,
  { graceSeconds }: Required<LandingPolicy>,
): Assessment | null {
  const draft = state.stopping ?? null;
  if (draft === null) return null;
  return { is: secondsBetween(draft.at, seen.readAt) > graceSeconds ? "letGoAgain" : "rest" };
}

/** A5.7, A5.13: closed, or one of its branches is gone or another. */
function closed(state: LandingState, seen: Observation): Assessment | null {
  const reason = goneReason(state, seen);
  if (reason === null) return null;
  if (!state.admitted) return { is: "stopUnarmed", reason };
  return holdsAnything(seen) ? { is: "letGo", reason } : { is: "askBase", reason };
}

function goneReason(state: LandingState, seen: Observation): StopReason | null {
  if (!seen.baseBranchExists || seen.baseBranch !== state.gateBranch) return "base_branch_gone";
  if (!seen.headBranchExists) return "head_branch_deleted";
  return seen.state === "CLOSED" ? "closed_unmerged" : null;
}

/**
 * Armed or queued again after the hold, by GitHub's own time of it: a late reading of the arming that the hold ended
 * does not count. A hold on a stopped landing keeps the stop, which only a governed arming takes back.
 */
function armedSinceHold(state: LandingState, seen: Observation): boolean {
  const heldAt = state.heldAt ?? null;
  if (state.stop !== null || heldAt === null) return false;
  const since = [
    ...(seen.autoMerge === null ? [] : [seen.autoMerge.enabledAt]),
    ...(seen.queue.read === "entry" ? [seen.queue.entry.enqueuedAt] : []),
  ];
  return since.some((at) => isAfter(at, heldAt));
}

/** A5.4, A5.5, A5.6 and the waiting of A7.2. */
function queueConflict(
  state: LandingState,
  seen: Observation,
  policy: Required<LandingPolicy>,
): Assessment | null {
  const entry = seen.queue.read === "entry" ? seen.queue.entry : null;
  const waiting = state.phase === "waiting_reentry";
  const unmergeable = entry?.state === "UNMERGEABLE";
  if (!unmergeable && !(waiting && entry === null && seen.autoMerge === null)) return null;
  if (seen.mergeable === "UNKNOWN") return { is: "wait", after: policy.recheckSeconds };
  if (state.candidate === null) return { is: "wait", after: null, holds: true };
  const stop = (reason: StopReason): Assessment => ({
    is: holdsAnything(seen) ? "letGo" : "askBase",
    reason,
  });
  if (conflicts(seen)) return stop("conflicts_with_base");
  if (!waiting) return { is: "readAhead", again: false };
  if ((state.reentryRefused ?? null) !== null) return stop("queue_conflict_unresolved");
  const askedAt = state.reentryAskedAt ?? null;
  if (askedAt !== null) {
    // The queue took it and could not merge it again: another conflict, with other entries ahead.
    if (entry !== null && !surelyBefore(entry.enqueuedAt, askedAt)) {
      return { is: "readAhead", again: false };
    }
    const waited = secondsBetween(askedAt, seen.readAt);
    return waited > policy.graceSeconds
      ? stop("queue_conflict_unresolved")
      : { is: "wait", after: Math.ceil(policy.graceSeconds - waited) + 1 };
  }
  if (seen.mergeState === "UNKNOWN") return { is: "wait", after: policy.recheckSeconds };
  return { is: "readAhead", again: true };
}

/** A5.2 and A5.11. A reading that decides nothing never resets a running grace period (case A13). */
function armed(
  state: LandingState,
  seen: Observation,
  policy: Required<LandingPolicy>,
): Assessment | null {
  if (seen.queue.read === "entry")
    return { is: "wait", after: null, holds: true, readySince: null };
  if (seen.autoMerge === null) return null;
  if (undecided(seen)) return { is: "wait", after: policy.recheckSeconds, holds: true };
  // Armed by hand, never governed: shown, and left alone.
  if (!ready(seen) || state.candidate === null) {
    return { is: "wait", after: null, holds: true, readySince: null };
  }
  const since = state.readySince ?? seen.readAt;
  const waited = secondsBetween(since, seen.readAt);
  if (waited <= policy.graceSeconds) {
    return {
      is: "wait",
      after: Math.ceil(policy.graceSeconds - waited) + 1,
      holds: true,
      readySince: since,
    };
  }
  return state.graceEnqueueSpent
    ? { is: "letGo", reason: "never_enqueued" }
    : { is: "enqueueOnce" };
}

/** The request was accepted and no reading has shown it yet: reads lag writes (github-facts 4.24). */
function lagging(
  state: LandingState,
  seen: Observation,
  { settleSeconds }: Required<LandingPolicy>,
): Assessment | null {
  const armedAt = state.armedAt ?? null;
  if (armedAt === null || (state.seenHeld ?? false)) return null;
  const waited = secondsBetween(armedAt, seen.readAt);
  return waited <= settleSeconds
    ? { is: "wait", after: Math.max(1, Math.ceil(settleSeconds - waited) + 1) }
    : null;
}
