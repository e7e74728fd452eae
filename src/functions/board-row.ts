/** One line of the board, and how old what it says is. Plain values from stored records. */
import { hasEnded } from "../core/landing/attempt.js";
import { describeChecks } from "../core/landing/describe.js";
import { landingView } from "../core/landing/view.js";
import type { Item, LandingRecord, Project } from "../core/records.js";

export interface BoardRow {
  readonly item: string;
  readonly title: string;
  readonly status: Item["status"];
  readonly phase: string | null;
  readonly where: string;
  readonly why: string;
  readonly next: string | null;
  readonly pullRequest: number | null;
  readonly url: string | null;
  readonly episode: number;
  readonly position: number | null;
  readonly etaSeconds: number | null;
  /** The checks it waits for, in words; null when not known. */
  readonly checks: string | null;
  readonly failedChecks: readonly string[];
  readonly holder: string | null;
  readonly ageSeconds: number;
}

export function boardRow(given: {
  readonly item: Item;
  readonly record: LandingRecord | null;
  readonly holder: string | null;
  readonly now: string;
}): BoardRow {
  const { item, record, holder, now } = given;
  const base = { item: item.key, title: item.title, status: item.status, holder };
  if (record === null) {
    const landed = item.status === "landed";
    return {
      ...base,
      phase: null,
      where: landed ? "landed" : "not started",
      why: landed ? "it landed" : "nothing was recorded for its landing yet",
      next: landed ? null : `Register its lane with \`yoke lanes register ${item.key}\`.`,
      pullRequest: null,
      url: null,
      episode: 0,
      position: null,
      etaSeconds: null,
      checks: null,
      failedChecks: [],
      ageSeconds: age(item.mergedAt ?? item.createdAt, now),
    };
  }
  const view = landingView(record.state, record.why, record.observation);
  return {
    ...base,
    phase: view.phase,
    where: view.position === null ? view.label : `in the queue, position ${view.position}`,
    why: view.why,
    next: view.next,
    pullRequest: view.pullRequest,
    url: view.url,
    episode: view.episode,
    position: view.position,
    etaSeconds: view.etaSeconds,
    checks: view.checks === null ? null : describeChecks(view.checks),
    failedChecks: view.failedChecks,
    ageSeconds: age(record.stateAt, now),
  };
}

/** Only open landings are read from GitHub, so without one nothing can be out of date. */
export function freshness(
  project: Project,
  records: readonly LandingRecord[],
  now: string,
): { refreshedAt: string | null; upkeepSeconds: number; stale: boolean } {
  const { refreshedAt, upkeepSeconds } = project;
  const open = records.filter(({ pullRequest, state }) => pullRequest !== null && !hasEnded(state));
  const since = refreshedAt ?? project.createdAt;
  const stale = open.length > 0 && age(since, now) > 2 * upkeepSeconds;
  return { refreshedAt, upkeepSeconds, stale };
}

/** Whole seconds; clocks of two machines may differ, and an age is never negative. */
function age(from: string, now: string): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(from)) / 1000));
}
