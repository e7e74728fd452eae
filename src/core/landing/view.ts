/** A landing as people see it: command line, board, Temporal web UI. Plain values, no colour, no clock. */
import { describe, duration, type ShownChecks } from "./describe.js";
import { notVerifiedByGroup } from "./group-run.js";
import type { LandingPhase, LandingState, Observation, QueueEntry } from "./model.js";
import { mergeCommand } from "./stop-words.js";
import { wrongTreeNext } from "./wrong-tree.js";

/** What a phase is called. */
export const phaseLabels: Readonly<Record<LandingPhase, string>> = {
  unarmed: "not armed",
  pending: "waiting for the queue",
  waiting_reentry: "waiting to re-enter the queue",
  held: "held",
  stopped: "stopped",
  landed: "landed, close-out owed",
  closed_out: "landed",
  closed: "attempt closed",
};

export interface LandingSummary {
  readonly item: string;
  readonly phase: LandingPhase;
  readonly label: string;
  readonly episode: number;
  readonly pullRequest: number | null;
  readonly url: string | null;
  readonly candidate: string | null;
  /** The head GitHub shows; differs from the candidate only when someone pushed. */
  readonly head: string | null;
  /** Place in the queue, first is 1; null without an entry. */
  readonly position: number | null;
  readonly entryState: string | null;
  /** Seconds, as GitHub estimates; null when it does not. */
  readonly etaSeconds: number | null;
  /** Null when they are not known, or do not matter any more. */
  readonly checks: ShownChecks | null;
  readonly mergeState: string | null;
  /** Failed and cancelled required checks of the stop. */
  readonly failedChecks: readonly string[];
  readonly mergeCommit: string | null;
  readonly why: string;
  /** What the holder does next; null when there is nothing to do. */
  readonly next: string | null;
  /** GitHub's time of the newest reading. */
  readonly readAt: string | null;
}

/**
 * The landing as one flat value; `why` is the decision's own sentence. `newest` is what GitHub said last: a landing is
 * not woken for a place in the queue or a check that ended, so the reading its state was decided from may be older.
 */
export function landingView(
  state: LandingState,
  why: string = describe(state),
  newest: Observation | null = null,
): LandingSummary {
  const isSame = newest !== null && newest.pullRequest === state.pullRequest?.number;
  const seen = isSame ? newest : state.lastObservation;
  const pending = state.phase === "pending" && seen?.state === "OPEN" ? seen : null;
  const entry = pending?.queue.read === "entry" ? pending.queue.entry : null;
  return {
    item: state.item,
    phase: state.phase,
    label: labelOf(state),
    episode: state.episode,
    pullRequest: state.pullRequest?.number ?? null,
    url: state.pullRequest?.url ?? null,
    candidate: state.candidate?.commit ?? null,
    head: seen?.head ?? null,
    position: entry?.position ?? null,
    entryState: entry?.state ?? null,
    etaSeconds: entry?.estimatedTimeToMerge ?? null,
    checks: pending === null ? null : shownChecks(pending, entry),
    mergeState: seen?.mergeState ?? null,
    failedChecks: (state.stop?.failedChecks ?? []).map(
      ({ name, conclusion }) => `${name}: ${conclusion}`,
    ),
    mergeCommit: state.landed?.mergeCommit ?? null,
    why:
      pending !== null && isSame && saysItself(state, pending)
        ? describe({ ...state, lastObservation: pending })
        : why,
    next: nextStep(state),
    readAt: seen?.readAt ?? null,
  };
}

/**
 * The reading says by itself how the landing stands. Of an entry that cannot merge, and of a pull request that GitHub
 * holds nothing of, the decision knows more than the reading shows (A7.3, A5.12).
 */
function saysItself({ direct }: LandingState, { queue, autoMerge }: Observation): boolean {
  if (queue.read === "entry") return queue.entry.state !== "UNMERGEABLE";
  return queue.read === "none" && (autoMerge !== null || (direct ?? null) !== null);
}

function labelOf({ phase, frozen, landed, wrongTree }: LandingState): string {
  if (phase === "held" && (frozen ?? null) !== null) return "held by a freeze";
  if (phase === "landed" && wrongTree !== undefined) return "merged with a wrong tree";
  if (landed?.verifiedByGroup !== false) return phaseLabels[phase];
  if (phase === "landed") return `${notVerifiedByGroup}; close-out owed`;
  return phase === "closed_out" ? notVerifiedByGroup : phaseLabels[phase];
}

function shownChecks({ checks }: Observation, entry: QueueEntry | null): LandingSummary["checks"] {
  if (checks === undefined) return null;
  return entry !== null && checks.group !== null
    ? { of: "group", ...checks.group }
    : { of: "head", ...checks.head };
}

function nextStep(state: LandingState): string | null {
  switch (state.phase) {
    case "held":
      // Armed again by itself, unless there was a stop before.
      if ((state.frozen ?? null) !== null) return state.stop?.next ?? null;
      return state.stop?.next ?? `Arm it with \`${mergeCommand(state.item)}\`.`;
    case "unarmed":
    case "stopped":
      return state.stop?.next ?? `Arm it with \`${mergeCommand(state.item)}\`.`;
    case "landed":
      if (state.wrongTree !== undefined) return wrongTreeNext(state);
      return `Close it out with \`${mergeCommand(state.item)}\`.`;
    default:
      return null;
  }
}

/** A few lines of `name: value`, for the current details of a running workflow. */
export function landingDetails(state: LandingState, why: string): string {
  const view = landingView(state, why);
  const lines: readonly (readonly [string, string | null])[] = [
    ["state", view.label],
    ["why", view.why],
    ["pull request", view.url],
    ["candidate", view.candidate],
    ["episode", String(view.episode)],
    ["position", view.position === null ? null : String(view.position)],
    ["time to merge", view.etaSeconds === null ? null : `about ${duration(view.etaSeconds)}`],
    ["failed checks", view.failedChecks.length === 0 ? null : view.failedChecks.join(", ")],
    ["merge commit", view.mergeCommit],
    ["next", view.next],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join("\n");
}

/** What `yoke merge item` prints with exit 9 (A1.4): armed, not landed. */
export function landingPendingText(state: LandingState, why: string): string {
  const view = landingView(state, why);
  return [
    "landing_pending: true",
    `landing: landing:${state.item}`,
    `pull request: ${view.pullRequest === null ? "none" : `${view.pullRequest} ${view.url ?? ""}`}`,
    `head: ${view.candidate ?? view.head ?? "unknown"}`,
    `why: ${why}`,
    `next: Wait for the landing notice, then run \`${mergeCommand(state.item)}\` again. To stay here instead, add --wait.`,
  ].join("\n");
}
