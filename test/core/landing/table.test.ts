/**
 * The whole table of A5: every combination of what GitHub can say, against every phase, checked with a second, flat
 * telling of the rules. 2,016 readings in each of 7 phases.
 */
import { expect, it } from "vitest";
import type {
  LandingEffect,
  LandingState,
  MergeStateStatus,
  Observation,
} from "../../../src/core/landing/model.js";
import {
  answer,
  armed,
  armedByGitHub,
  at,
  give,
  head,
  mergedOnGitHub,
  newest,
  observation,
  opened,
  otherHead,
  queued,
  see,
} from "./world.js";

const states = ["OPEN", "CLOSED", "MERGED"] as const;
const mergeables = ["MERGEABLE", "CONFLICTING", "UNKNOWN"] as const;
const mergeStates: readonly MergeStateStatus[] = [
  "BEHIND",
  "BLOCKED",
  "CLEAN",
  "DIRTY",
  "DRAFT",
  "HAS_HOOKS",
  "UNKNOWN",
  "UNSTABLE",
];
const entryStates = ["QUEUED", "AWAITING_CHECKS", "MERGEABLE", "LOCKED", "UNMERGEABLE"] as const;
const memberships: readonly Observation["queue"][] = [
  { read: "none" },
  { read: "unreadable", why: "502" },
  ...entryStates.map((state) => queued(state).queue),
];

function waitingReentry(): LandingState {
  const conflict = see(armed(), 10, { ...queued("UNMERGEABLE"), mergeState: "CLEAN" }).state;
  return give(conflict, {
    type: "queueAhead",
    observation: newest(conflict),
    conflict: { ahead: [10], sharedFiles: [], seenAt: at(10) },
  }).state;
}

const landed = see(armed(), 10, mergedOnGitHub).state;
const phases: readonly LandingState[] = [
  see(opened, 1).state,
  armed(),
  waitingReentry(),
  give(armed(), { type: "held", at: at(20) }).state,
  answer(see(armed(), 15).state).state,
  landed,
  give(landed, { type: "closedOut" }).state,
];

function readings(): readonly Observation[] {
  return states.flatMap((state) =>
    mergeables.flatMap((mergeable) =>
      mergeStates.flatMap((mergeState) =>
        [null, armedByGitHub.autoMerge].flatMap((autoMerge) =>
          memberships.flatMap((queue) =>
            [head, otherHead].map((head) =>
              observation(60, {
                state,
                mergeable,
                mergeState,
                autoMerge,
                queue,
                head,
                ...(state === "MERGED" ? { merge: mergedOnGitHub.merge } : {}),
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The rules told flat: the phase that follows and the effects without the timers. */
function expected(state: LandingState, seen: Observation): readonly [string, ...string[]] {
  const { phase } = state;
  const entry = seen.queue.read === "entry" ? seen.queue.entry.state : null;
  const holds = entry !== null || seen.autoMerge !== null;
  const unknown = seen.mergeable === "UNKNOWN" || seen.mergeState === "UNKNOWN";
  const conflict =
    seen.mergeable === "CONFLICTING" ||
    (seen.mergeable === "MERGEABLE" && seen.mergeState === "DIRTY");
  if (phase === "landed" || phase === "closed_out") return [phase];
  if (seen.state === "MERGED") return ["landed", "stampLanding", "notice"];
  if (phase === "stopped") return ["stopped"];
  if (seen.state === "CLOSED") {
    if (phase === "unarmed") return ["stopped"];
    return holds ? ["pending", "disarm"] : [phase, "readStopEvidence"];
  }
  // What the hold ended was armed before it.
  if (phase === "held") return ["held"];
  // Armed by hand, without a candidate: shown, and left alone.
  if (phase === "unarmed") {
    if (!holds) return ["unarmed"];
    return ["pending"];
  }
  if (seen.head !== head) return ["pending", "disarm"];
  if (seen.queue.read === "unreadable") return [phase];
  const waiting = phase === "waiting_reentry" && !holds;
  if (entry === "UNMERGEABLE" || waiting) {
    if (seen.mergeable === "UNKNOWN") return [phase];
    if (conflict) return entry === null ? [phase, "readStopEvidence"] : ["pending", "disarm"];
    if (phase === "waiting_reentry" && seen.mergeState === "UNKNOWN") return [phase];
    return [phase, "readQueueAhead"];
  }
  if (holds) return ["pending"];
  if (unknown) return [phase];
  return [phase, "readStopEvidence"];
}

it("A5.1 A5.2 A5.3 A5.4 A5.5 A5.6 A5.7 A5.8 A5.9 every reading in every phase", () => {
  const all = readings();
  expect(all).toHaveLength(3 * 3 * 8 * 2 * 7 * 2);
  const wrong: string[] = [];
  for (const state of phases) {
    for (const seen of all) {
      const decision = give(state, { type: "observed", observation: seen });
      const sent = decision.effects
        .map(({ type }: LandingEffect) => type)
        .filter((type) => type !== "recheck");
      const got = [decision.state.phase, ...sent].join(" ");
      const want = expected(state, seen).join(" ");
      if (got === want) continue;
      wrong.push(
        `${state.phase}: ${seen.state} ${seen.mergeable} ${seen.mergeState} auto=${seen.autoMerge !== null} queue=${JSON.stringify(seen.queue)} same=${seen.head === head}: ${got}, not ${want}`,
      );
    }
  }
  expect(wrong).toEqual([]);
});

it("A4.7 A5.6 whatever waits on GitHub alone looks again by itself", () => {
  for (const seen of readings()) {
    if (seen.state !== "OPEN" || seen.head !== head || seen.autoMerge !== null) continue;
    const undecided =
      seen.queue.read === "unreadable" ||
      (seen.queue.read === "none" &&
        (seen.mergeable === "UNKNOWN" || seen.mergeState === "UNKNOWN"));
    if (!undecided) continue;
    const decision = give(armed(), { type: "observed", observation: seen });
    expect(decision.effects).toEqual([{ type: "recheck", afterSeconds: 30 }]);
  }
});
