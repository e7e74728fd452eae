/** Which of an item's landings speaks for it: its first one, or a re-land attempt (A10). */
import type { LandingRecord } from "../records.js";
import { hasEnded } from "./attempt.js";
import type { LandingState } from "./model.js";

/** What is looked at of a record; records of one item, in any order. */
export type OfItem = Pick<LandingRecord, "item" | "attempt" | "state">;

/** The landing the item is on: the newest that GitHub merged, otherwise its first (A10.1). */
export function currentLanding<One extends OfItem>(records: readonly One[]): One | null {
  const merged = records
    .filter(({ state }) => state.landed !== null)
    .toSorted((a, b) => mergedAt(b).localeCompare(mergedAt(a)) || b.attempt - a.attempt);
  return merged[0] ?? records.find(({ attempt }) => attempt === 0) ?? null;
}

/** The attempt that is open; a database constraint lets there be one (A10.2). */
export function openAttemptOf<One extends OfItem>(records: readonly One[]): One | null {
  return records.find(({ attempt, state }) => attempt > 0 && !hasEnded(state)) ?? null;
}

/** What board, readiness and whoever waits are shown: the open attempt, else the landing the item is on (A10.5). */
export function shownLanding<One extends OfItem>(records: readonly One[]): One | null {
  return openAttemptOf(records) ?? currentLanding(records);
}

/**
 * What the holder owes something for: an attempt that was armed; one that is open unarmed, or closed, leaves the
 * earlier landing in charge (A10.6).
 */
export function landingInCharge<One extends OfItem>(records: readonly One[]): One | null {
  const open = openAttemptOf(records);
  return open !== null && open.state.phase !== "unarmed" ? open : currentLanding(records);
}

/** The landing shown for each item of these records. */
export function byItem<One extends OfItem>(
  records: readonly One[],
  choose: (own: readonly One[]) => One | null,
): Map<string, One> {
  const grouped = new Map<string, One[]>();
  for (const record of records) {
    grouped.set(record.item, [...(grouped.get(record.item) ?? []), record]);
  }
  const chosen = [...grouped].map(([item, own]) => [item, choose(own)] as const);
  return new Map(chosen.flatMap(([item, one]) => (one === null ? [] : [[item, one] as const])));
}

/**
 * The landing a merge request goes to. One that is armed takes the requests of its own lane; a lane whose landing was
 * merged is closed out first (A10.6); what is new goes to the open attempt, which a newer pull request supersedes, or
 * to the landing the item is on, from which the next attempt is opened.
 */
export function landingForMerge<One extends OfItem>(
  records: readonly One[],
  branch: string | null,
): One | null {
  const ours = ({ state }: One) => branch === null || landsFrom(state) === branch;
  const open = openAttemptOf(records);
  if (open !== null && open.state.phase !== "unarmed" && ours(open)) return open;
  const owed = records.find((one) => owesCloseOut(one) && ours(one));
  if (owed !== undefined) return owed;
  return open ?? landingOfBranch(records, branch) ?? currentLanding(records);
}

/** A lane that was closed out and kept is looked at again by its own landing. */
function landingOfBranch<One extends OfItem>(
  records: readonly One[],
  branch: string | null,
): One | null {
  const current = currentLanding(records);
  if (branch === null || current === null || landsFrom(current.state) === branch) return current;
  return (
    records.find(({ state }) => state.phase === "closed_out" && landsFrom(state) === branch) ??
    current
  );
}

/** What merged with a wrong tree is not closed out by anything (A16.1). */
function owesCloseOut({ state }: OfItem): boolean {
  return state.phase === "landed" && state.wrongTree === undefined;
}

/** Branch that a landing is of. */
export function landsFrom(state: LandingState): string | null {
  return state.candidate?.branch ?? state.lastObservation?.headBranch ?? null;
}

function mergedAt({ state }: OfItem): string {
  return state.landed?.mergedAt ?? "";
}

/** What the next attempt's episodes count on from. */
export function lastEpisode(records: readonly OfItem[]): number {
  return Math.max(0, ...records.map(({ state }) => state.episode));
}

/** The attempt that a detail shows beside the landing: the open one, else the one that ended last (A10.7). */
export function shownAttempt<One extends OfItem>(records: readonly One[]): One | null {
  const ended = records
    .filter(({ attempt, state }) => attempt > 0 && hasEnded(state))
    .toSorted((a, b) => endedAt(b).localeCompare(endedAt(a)) || b.attempt - a.attempt);
  return openAttemptOf(records) ?? ended[0] ?? null;
}

function endedAt({ state }: OfItem): string {
  return state.ended?.at ?? state.landed?.mergedAt ?? "";
}
