/**
 * A pull request that is merged directly, into a branch that declares no queue (A12.3). The candidate must contain the
 * gate branch, so that what lands is the very tree that was verified; GitHub says when its own rules are met.
 */
import { refuse, type Refusal } from "../refusals.js";
import type { Assessment } from "./assess.js";
import { conflicts, ready, undecided } from "./readiness.js";
import type { LandingPolicy, LandingState, Observation, StopReason } from "./model.js";

/** How GitHub compares a commit with the head of a branch. */
export type Comparison = "AHEAD" | "BEHIND" | "DIVERGED" | "IDENTICAL";

/** Requests of one episode; each is another reservation and follows a reading. */
const sends = 4;

/** What a direct merge came to, as its activity answers. Only `sent` may have had an effect. */
export type DirectMerge =
  | { readonly outcome: "sent" }
  /** The base moved while the checks ran: the merge would be a tree nobody verified. */
  | { readonly outcome: "stale" }
  | { readonly outcome: "has_queue" }
  | { readonly outcome: "refused"; readonly message: string }
  /** Nothing was sent, and nothing speaks against trying again. */
  | { readonly outcome: "later"; readonly why: string };

export function assessDirect(
  state: LandingState,
  seen: Observation,
  { recheckSeconds }: Required<LandingPolicy>,
): Assessment {
  if (seen.queueEnabled) return { is: "askBase", reason: "gate_has_queue" };
  if (undecided(seen)) return { is: "wait", after: recheckSeconds };
  if (conflicts(seen)) return { is: "askBase", reason: "conflicts_with_base" };
  if (seen.mergeState === "BEHIND") return { is: "askBase", reason: "MergeTargetStale" };
  if (ready(seen)) {
    const asked = state.direct?.asked ?? 0;
    return asked < sends ? { is: "mergeDirectly" } : { is: "askBase", reason: "merge_refused" };
  }
  const head = seen.checks?.head;
  const ended = head !== undefined && head.failed > 0 && head.running === 0;
  return ended && state.direct?.examined !== examination(seen)
    ? { is: "askBase", reason: "checks_failed" }
    : { is: "wait", after: null };
}

/** Names a set of ended checks that was looked into: optional ones may fail as they like. */
export function examination({ head, checks }: Observation): string {
  return JSON.stringify([head, checks?.head ?? null]);
}

/** The landing after an answer, and the stop that it means; null: none yet. */
export function afterDirectMerge(
  state: LandingState,
  answer: DirectMerge,
): { readonly state: LandingState; readonly stop: StopReason | null } {
  const direct = state.direct ?? { asked: 0, examined: null, said: null };
  switch (answer.outcome) {
    case "sent":
      return { state, stop: null };
    case "later":
      // Nothing was sent, so nothing was spent.
      return { state: { ...state, direct: { ...direct, asked: direct.asked - 1 } }, stop: null };
    case "refused": {
      const next = { ...state, direct: { ...direct, said: answer.message } };
      return { state: next, stop: direct.asked < sends ? null : "merge_refused" };
    }
    case "stale":
      return { state, stop: "MergeTargetStale" };
    case "has_queue":
      return { state, stop: "gate_has_queue" };
  }
}

/** Null: the candidate contains the gate branch, or is in it already. */
export function staleReason(
  item: string,
  gateBranch: string,
  candidate: string,
  comparison: Comparison,
): Refusal | null {
  if (comparison !== "DIVERGED") return null;
  return refuse(
    "MergeTargetStale",
    `\`${gateBranch}\` has commits that ${candidate} does not contain; merged directly, the result would be a tree that nobody verified.`,
    { item, gateBranch, candidate },
  );
}
