/** The reasons that lie in the landing itself: what it waits for, or why it stopped. */
import type { LandingRecord } from "../records.js";
import type { WrongTree } from "./integrity.js";
import type { LandingState, Observation } from "./model.js";
import { describeChecks } from "./describe.js";
import { isAfter, later } from "./elapsed.js";
import { holdsAnything } from "./freshness.js";
import { failedCheckLine } from "./notice-text.js";
import { conflicts } from "./readiness.js";
import { landingView } from "./view.js";
import { holdCommand, mergeCommand } from "./stop-words.js";
import { wrongTreeRefusal } from "./wrong-tree.js";

export interface Reason {
  /** A code of the refusals where one fits, else a landing phase or a word of its own. Stable. */
  readonly code: string;
  readonly text: string;
  /** What to do; null when waiting is right. */
  readonly next: string | null;
}

/** Reasons from a landing's record; empty when nothing was armed in it. */
export function landingReasons(record: LandingRecord): readonly Reason[] {
  const { state, why, item } = record;
  switch (state.phase) {
    case "stopped":
      return stopped(record);
    case "held":
      if ((state.frozen ?? null) !== null)
        return [{ code: "project_frozen", text: sentence(why), next: null }];
      return [
        {
          code: "held",
          text: `${item} is held: a person took pull request ${state.pullRequest?.number ?? "of it"} out of the queue on purpose.`,
          next: `When the reason for the hold is gone, run \`${mergeCommand(item)}\`.`,
        },
        ...(state.stop === null ? [] : stopped(record)),
      ];
    case "landed":
      if (state.wrongTree !== undefined) return wrongTree(state, state.wrongTree);
      return [
        {
          code: "close_out_owed",
          text: `GitHub merged it as ${state.landed?.mergeCommit ?? "a commit"}; the landing is not closed out yet.`,
          next: `Run \`${mergeCommand(item)}\`: it proves the landing, completes the receipt and cleans the lane.`,
        },
      ];
    case "waiting_reentry":
      return [
        {
          code: "queue_conflict",
          text: sentence(why),
          next: null,
        },
      ];
    case "pending":
      return [pending(record)];
    default:
      return [];
  }
}

function wrongTree(state: LandingState, wrong: WrongTree): readonly Reason[] {
  const { code, message, next } = wrongTreeRefusal(state, wrong);
  return [{ code, text: message, next }];
}

function stopped({ state, item, observation }: LandingRecord): readonly Reason[] {
  const { stop } = state;
  if (stop === null) return [];
  const again = observation !== null && heldSince(observation, stop.at);
  return [
    { code: stop.reason, text: stop.message, next: stop.next },
    ...stop.failedChecks.map((check) => ({
      code: "check_failed",
      text: failedCheckLine(check),
      next:
        check.url === null
          ? `Look the check up on pull request ${state.pullRequest?.number ?? ""}.`
          : `Open ${check.url} and see whether the change explains it.`,
    })),
    ...(again
      ? [
          {
            code: "armed_without_yoke",
            text: `Since it stopped, somebody armed or queued pull request ${observation.pullRequest} on GitHub, without yoke: it may merge any moment.`,
            next: `If it is to land, run \`${mergeCommand(item)}\`; if not, \`${holdCommand(item)}\`.`,
          },
        ]
      : []),
    ...(state.disarmFailed
      ? [
          {
            code: "disarm_failed",
            text: `GitHub may still hold pull request ${state.pullRequest?.number ?? "of it"}.`,
            next: `Run \`${holdCommand(item)}\` before you push or run \`${mergeCommand(item)}\`.`,
          },
        ]
      : []),
  ];
}

/** By GitHub's own time of it: a late reading of what the stop ended does not count. */
function heldSince({ state, autoMerge, queue }: Observation, stopped: string): boolean {
  const armedAt = autoMerge?.enabledAt ?? stopped;
  const queuedAt = queue.read === "entry" ? queue.entry.enqueuedAt : stopped;
  return state === "OPEN" && isAfter(later(armedAt, queuedAt), stopped);
}

function pending(record: LandingRecord): Reason {
  const { state, item, observation } = record;
  const { why, checks } = landingView(state, record.why, observation);
  const told = sentence(checks === null ? why : `${why}; ${describeChecks(checks)}`);
  const seen = observation ?? state.lastObservation;
  const held = seen !== null && holdsAnything(seen);
  if (held && conflicts(seen)) {
    return {
      code: "pull_request_conflicts",
      text: told,
      next: `Rebase the lane onto \`${seen.baseBranch}\`, verify it again, push, and run \`${mergeCommand(item)}\`.`,
    };
  }
  if (held && seen.isDraft) {
    return {
      code: "pull_request_draft",
      text: told,
      next: `Mark pull request ${seen.pullRequest} as ready for review on GitHub.`,
    };
  }
  if (seen?.state === "OPEN" && seen.autoMerge !== null && seen.mergeState === "BLOCKED") {
    return {
      code: "waiting_for_checks",
      text: told,
      next: `Nothing, while its required checks run. If none runs, look at ${seen.url}: a review or a check may be missing.`,
    };
  }
  return { code: "pending", text: told, next: null };
}

/** A reason is read alone, so it begins and ends as a sentence. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun.endsWith(".") ? begun : `${begun}.`;
}
