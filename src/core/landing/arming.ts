/** How a candidate is armed: the call follows from the state that was read, and the read-back says what happened (A1.3). */
import { refuse, type Refusal } from "../refusals.js";
import type { Candidate, Observation } from "./model.js";
import { conflicts, ready, undecided } from "./readiness.js";

export type Arming =
  /** GitHub holds it already: no second request (case A08). */
  | { readonly do: "already" }
  /** Nothing is left to wait for (case A07). */
  | { readonly do: "enqueue" }
  /** Merge-when-ready: GitHub queues it when its requirements are met. */
  | { readonly do: "enable_auto_merge" }
  /** Nothing may be concluded yet; read again, and refuse when it stays so (cases A12, A13). */
  | { readonly do: "read_again"; readonly why: string }
  | { readonly do: "refuse"; readonly refusals: readonly Refusal[] };

/** Chooses the call for an open pull request. Every reason against arming comes at once. */
export function chooseArming(observation: Observation, candidate: Candidate): Arming {
  const refusals = against(observation, candidate);
  if (refusals.length > 0) return { do: "refuse", refusals };
  if (observation.queue.read === "entry" || observation.autoMerge !== null) {
    return { do: "already" };
  }
  const number = observation.pullRequest;
  if (observation.queue.read === "unreadable") {
    return {
      do: "read_again",
      why: `The queue membership of pull request ${number} could not be read: ${observation.queue.why}.`,
    };
  }
  if (undecided(observation)) {
    return {
      do: "read_again",
      why: `GitHub has not computed yet whether pull request ${number} can merge (mergeable ${observation.mergeable}, merge state ${observation.mergeState}).`,
    };
  }
  return { do: ready(observation) ? "enqueue" : "enable_auto_merge" };
}

function against(seen: Observation, candidate: Candidate): readonly Refusal[] {
  const number = String(seen.pullRequest);
  const about = { pullRequest: number, url: seen.url };
  if (seen.state !== "OPEN") {
    const what = seen.state === "MERGED" ? "has merged already" : "was closed without merging";
    return [refuse("pull_request_closed", `Pull request ${number} ${what}.`, about)];
  }
  const refusals: Refusal[] = [];
  if (seen.head !== candidate.commit) {
    refusals.push(
      refuse(
        "pull_request_head_moved",
        `Pull request ${number} has head ${seen.head}; the verified candidate is ${candidate.commit}.`,
        { ...about, head: seen.head, candidate: candidate.commit },
      ),
    );
  }
  // What GitHub holds already is not asked for again, so what stands against asking does not matter.
  if (seen.queue.read === "entry" || seen.autoMerge !== null) return refusals;
  if (seen.isDraft || seen.mergeState === "DRAFT") {
    refusals.push(refuse("pull_request_draft", `Pull request ${number} is a draft.`, about));
  }
  if (!seen.queueEnabled) {
    refusals.push(
      refuse("merge_queue_missing", `\`${seen.baseBranch}\` has no merge queue on GitHub.`, {
        ...about,
        gateBranch: seen.baseBranch,
      }),
    );
  }
  if (conflicts(seen)) {
    refusals.push(
      refuse(
        "pull_request_conflicts",
        `Pull request ${number} conflicts with its base \`${seen.baseBranch}\`.`,
        { ...about, base: seen.baseBranch },
      ),
    );
  }
  return refusals;
}

/** What the reading after the request shows. Only `armed`, `queued` and `merged` prove that it took effect. */
export type Confirmation = "armed" | "queued" | "merged" | "neither" | "unknown";

/**
 * A live entry is success whether or not merge-when-ready is null beside it (case A09). An unreadable queue, and an
 * open pull request whose merge state GitHub is computing, prove nothing (A4.7).
 */
export function confirmArming(observation: Observation): Confirmation {
  if (observation.state === "MERGED") return "merged";
  if (observation.state === "CLOSED") return "neither";
  if (observation.queue.read === "entry") return "queued";
  if (observation.autoMerge !== null) return "armed";
  if (observation.queue.read === "unreadable" || undecided(observation)) return "unknown";
  return "neither";
}

/** GitHub holds it, or has merged it: the request took effect. */
export function isHeld(observation: Observation): boolean {
  return !["neither", "unknown"].includes(confirmArming(observation));
}
