/** Where a landing stands, in one sentence, for the web UI's current details and `yoke explain`. */
import type { CheckCounts, LandingState, Observation, QueueEntry } from "./model.js";
import { untilWhen } from "./freeze.js";
import { wrongTreeText } from "./wrong-tree.js";
import { conflicts, ready, undecided } from "./readiness.js";

/** The checks that matter now: of the group commit once there is one, before that of the head. */
export interface ShownChecks extends CheckCounts {
  readonly of: "group" | "head";
}

/** One sentence from the state alone. Times in it are GitHub's. */
export function describe(state: LandingState): string {
  const seen = state.lastObservation;
  const pr =
    state.pullRequest === null ? "no pull request" : `pull request ${state.pullRequest.number}`;
  const frozen = state.frozen ?? null;
  switch (state.phase) {
    case "unarmed":
      return state.pullRequest === null ? "nothing was armed yet" : `${pr} is recorded, not armed`;
    case "held":
      if (frozen !== null)
        return `${pr} is held because the project is frozen${untilWhen(frozen.until)} (${frozen.reason}); it is armed again when the freeze ends`;
      return `${pr} is held by a person, until it is armed or queued again`;
    case "stopped":
      return state.stop === null ? "stopped" : `stopped: ${state.stop.message}`;
    case "landed":
      if (state.wrongTree !== undefined) return wrongTreeText(state, state.wrongTree);
      return `GitHub merged ${pr} as ${state.landed?.mergeCommit ?? "a commit"}; close-out is owed`;
    case "closed_out":
      return `landed as ${state.landed?.mergeCommit ?? "a commit"}, closed out`;
    case "closed":
      return `the attempt ended: ${state.ended?.reason ?? "it was closed"}`;
    case "waiting_reentry":
      return waitingReentry(state);
    default:
      return seen === null ? `${pr} is armed` : pending(state, seen, pr);
  }
}

function pending(state: LandingState, seen: Observation, pr: string): string {
  if (seen.state === "MERGED") {
    return `GitHub says that ${pr} merged, but did not give the whole identity of the merge yet`;
  }
  const stopping = state.stopping ?? null;
  if (stopping !== null) return `${stopping.message} GitHub is asked to let go of it`;
  if ((state.direct ?? null) !== null) return direct(state, seen, pr);
  if (seen.queue.read === "unreadable") {
    return `the merge queue cannot be read (${seen.queue.why}); that proves no stop, it is read again`;
  }
  if (seen.queue.read === "entry") return entry(seen, seen.queue.entry, pr);
  if (seen.autoMerge !== null) return autoMerge(state, seen, pr);
  if (undecided(seen))
    return `GitHub is computing whether ${pr} can merge; nothing is decided from that`;
  return (state.seenHeld ?? false)
    ? `${pr} shows neither arming nor a queue entry; the base branch is asked before anything is said`
    : `${pr} was armed; GitHub does not show it yet`;
}

function direct(state: LandingState, seen: Observation, pr: string): string {
  if (undecided(seen))
    return `GitHub is computing whether ${pr} can merge; nothing is decided from that`;
  return ready(seen)
    ? `${pr} is ready and is merged into \`${state.gateBranch}\` directly, its head pinned`
    : `${pr} waits for its required checks and rules (${seen.mergeState}), then is merged directly`;
}

function entry(
  seen: Observation,
  { state, position, estimatedTimeToMerge }: QueueEntry,
  pr: string,
) {
  if (state === "UNMERGEABLE") {
    return seen.mergeable === "UNKNOWN"
      ? `the queue cannot merge ${pr} now and GitHub has not decided why; it is read again`
      : `the queue cannot merge ${pr} behind the entries ahead of it`;
  }
  const eta =
    estimatedTimeToMerge === null ? "" : `, about ${duration(estimatedTimeToMerge)} to merge`;
  return `${pr} is in the queue at position ${position} (${state}${eta})`;
}

function autoMerge(state: LandingState, seen: Observation, pr: string): string {
  if (conflicts(seen)) {
    return `${pr} is armed, but conflicts with \`${seen.baseBranch}\`: it cannot enter the queue until it is rebased and verified again`;
  }
  if (seen.isDraft) return `${pr} is armed, but a draft: it cannot enter the queue`;
  if (undecided(seen)) return `${pr} is armed; GitHub is computing whether it can merge`;
  if (!ready(seen))
    return `${pr} is armed and waits for its required checks and rules (${seen.mergeState})`;
  return state.graceEnqueueSpent
    ? `${pr} is armed and ready; it was queued explicitly, and no entry shows yet`
    : `${pr} is armed and ready since ${state.readySince ?? seen.readAt}; GitHub has not queued it yet`;
}

function waitingReentry(state: LandingState): string {
  const ahead = (state.queueConflict?.ahead ?? []).map((number) => `#${number}`).join(", ");
  if ((state.reentryAskedAt ?? null) !== null) {
    return "the entries ahead have left; the unchanged head was queued again, and no entry shows yet";
  }
  return `waits until the entries ahead have left${ahead === "" ? "" : ` (${ahead})`}, then queues the unchanged head again`;
}

/** `checks of the group: 3 passed, 1 running`. */
export function describeChecks(checks: ShownChecks): string {
  const { of, passed, failed, notStarted = 0 } = checks;
  const running = checks.running - notStarted;
  const counts = [
    passed === 0 ? [] : [`${passed} passed`],
    failed === 0 ? [] : [`${failed} failed`],
    running === 0 ? [] : [`${running} running`],
    notStarted === 0 ? [] : [`${notStarted} not started`],
  ].flat();
  const what = of === "group" ? "checks of the group" : "checks of the pull request";
  return `${what}: ${counts.length === 0 ? "none reported yet" : counts.join(", ")}`;
}

/** Seconds as a person says them: `40 s`, `12 min`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0
    ? `${minutes / 60} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
