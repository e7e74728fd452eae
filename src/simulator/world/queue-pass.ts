/**
 * One pass over a queue. It looks at the whole of it: which groups still fit what they are built on, which
 * may be built, which entries have failed or waited too long, and what can land.
 */
import type { Engine } from "./engine.js";
import { buildGroup, destroyGroup } from "./groups.js";
import { land } from "./landing.js";
import type { PullRequest, Queue, QueueEntry, QueueSettings } from "./model.js";
import { leaveQueue } from "./queue.js";
import { checksVerdict, type CheckVerdict } from "./required-checks.js";
import { branchRules, type BranchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";
import { touched } from "./timeline.js";

const MINUTE_MS = 60_000;

/** True when something changed. */
export async function queuePass(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
): Promise<boolean> {
  const first = queue.entries[0];
  if (first === undefined) return false;
  const rules = branchRules(state.repository, queue.branch);
  const tip = await engine.git(state.repository).branch(queue.branch);
  if (rules.mergeQueue === null || tip === null) {
    await leaveQueue(engine, state, pullRequestOf(state, first), "QUEUE_CLEARED");
    return true;
  }
  const settings = rules.mergeQueue;
  if (await alignGroups(engine, state, queue, settings, tip)) return true;
  judge(engine, state, queue, rules);
  if (await removeFailed(engine, state, queue, rules)) return true;
  if (await removeOverdue(engine, state, queue, settings)) return true;
  const count = landable(engine, state, queue, rules);
  if (count === 0) return false;
  return land(engine, state, queue, { entries: queue.entries.slice(0, count), tip });
}

function pullRequestOf(state: RepositoryState, entry: QueueEntry): PullRequest {
  const found = state.pullRequests.find((one) => one.number === entry.pullRequest);
  if (found === undefined) throw new Error(`no pull request ${entry.pullRequest} for its entry`);
  return found;
}

/**
 * Drops the first group that does not stand on what is ahead of it now, else builds for the first entry
 * without one, if it may be built. Groups are dropped first: they hold places in the build limit.
 */
async function alignGroups(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  settings: QueueSettings,
  tip: string,
): Promise<boolean> {
  let previous: string | null = tip;
  for (const entry of queue.entries) {
    const { group } = entry;
    if (group !== null && (previous === null || !standsOn(queue, group.baseSha, previous))) {
      await destroyGroup(engine, state, queue, entry, "invalidated");
      touched(engine, state, pullRequestOf(state, entry));
      return true;
    }
    // Nothing stands behind an entry without a group (quirk 2).
    previous = group?.headSha ?? null;
  }
  const next = queue.entries.findIndex((entry) => entry.group === null);
  const entry = queue.entries[next];
  if (entry === undefined) return false;
  const onto = queue.entries[next - 1]?.group?.headSha ?? tip;
  if (entry.conflictsWith === onto) return false;
  if (awaiting(state, queue) >= Math.max(1, settings.maxEntriesToBuild)) return false;
  await build(engine, state, queue, entry, { onto, settings });
  return true;
}

function standsOn(queue: Queue, baseSha: string, previous: string): boolean {
  return baseSha === previous || queue.landedAs[baseSha] === previous;
}

function awaiting(state: RepositoryState, queue: Queue): number {
  const rules = branchRules(state.repository, queue.branch);
  return queue.entries.filter((entry) => {
    const verdict = verdictOf(state, rules, entry);
    return verdict === "pending" || verdict === "expected";
  }).length;
}

async function build(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  entry: QueueEntry,
  ask: { readonly onto: string; readonly settings: QueueSettings },
): Promise<void> {
  const pullRequest = pullRequestOf(state, entry);
  entry.conflictsWith = null;
  const built = await buildGroup(engine, state, queue, entry, {
    pullRequest,
    onto: ask.onto,
    method: ask.settings.mergeMethod,
  });
  if (built) return;
  if (state.repository.options.conflicts === "evict") {
    await leaveQueue(engine, state, pullRequest, "MERGE_CONFLICT");
    return;
  }
  entry.state = "UNMERGEABLE";
  entry.conflictsWith = ask.onto;
  touched(engine, state, pullRequest);
}

function verdictOf(
  state: RepositoryState,
  rules: BranchRules,
  entry: QueueEntry,
): CheckVerdict | null {
  if (entry.group === null) return null;
  return checksVerdict(state, entry.group.headSha, rules.requiredChecks);
}

function judge(engine: Engine, state: RepositoryState, queue: Queue, rules: BranchRules): void {
  for (const entry of queue.entries) {
    const verdict = verdictOf(state, rules, entry);
    if (verdict === null) {
      if (entry.conflictsWith === null) entry.state = "QUEUED";
      continue;
    }
    const next = verdict === "success" ? "MERGEABLE" : "AWAITING_CHECKS";
    if (entry.state === next) continue;
    entry.state = next;
    touched(engine, state, pullRequestOf(state, entry));
  }
}

/**
 * ALLGREEN removes an entry as soon as its own group fails. HEADGREEN keeps it while an entry behind it, of
 * those that can land together, may still pass.
 */
async function removeFailed(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  rules: BranchRules,
): Promise<boolean> {
  const verdicts = queue.entries.map((entry) => verdictOf(state, rules, entry));
  const window = mergeLimit(rules);
  const index = verdicts.findIndex((verdict, at) => {
    if (verdict !== "failure") return false;
    if (rules.mergeQueue?.groupingStrategy !== "HEADGREEN") return true;
    return verdicts.every((other, behind) => {
      if (behind <= at || behind >= window) return true;
      return other === "failure" || queue.entries[behind]?.conflictsWith != null;
    });
  });
  const entry = queue.entries[index];
  if (entry === undefined) return false;
  await leaveQueue(engine, state, pullRequestOf(state, entry), "CI_FAILURE");
  return true;
}

/** A required check that never answers ends in CI_TIMEOUT. */
async function removeOverdue(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  settings: QueueSettings,
): Promise<boolean> {
  const entry = queue.entries.find((one) => {
    const due = timeoutOf(one, settings);
    return due !== null && due <= engine.now();
  });
  if (entry === undefined) return false;
  await leaveQueue(engine, state, pullRequestOf(state, entry), "CI_TIMEOUT");
  return true;
}

/** When an entry runs out of time, in milliseconds since the epoch; null: it awaits no checks. */
export function timeoutOf(entry: QueueEntry, settings: QueueSettings): number | null {
  if (entry.group === null || entry.state !== "AWAITING_CHECKS") return null;
  return Date.parse(entry.group.builtAt) + settings.checkResponseTimeoutMinutes * MINUTE_MS;
}

/** When a queue stops waiting for more entries; null when it is empty. */
export function waitEndOf(queue: Queue, settings: QueueSettings): number | null {
  const oldest = queue.entries[0];
  if (oldest === undefined) return null;
  return Date.parse(oldest.enqueuedAt) + settings.minEntriesToMergeWaitMinutes * MINUTE_MS;
}

function mergeLimit(rules: BranchRules): number {
  return Math.max(1, rules.mergeQueue?.maxEntriesToMerge ?? 1);
}

/** How many entries from the front land together now. */
function landable(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  rules: BranchRules,
): number {
  const settings = rules.mergeQueue;
  if (settings === null) return 0;
  const verdicts = queue.entries
    .slice(0, mergeLimit(rules))
    .map((entry) => verdictOf(state, rules, entry));
  const built = verdicts.findIndex((verdict) => verdict === null);
  const chain = built < 0 ? verdicts : verdicts.slice(0, built);
  const firstNotGreen = chain.findIndex((verdict) => verdict !== "success");
  const green =
    settings.groupingStrategy === "HEADGREEN"
      ? chain.lastIndexOf("success") + 1
      : firstNotGreen < 0
        ? chain.length
        : firstNotGreen;
  if (green >= settings.minEntriesToMerge) return green;
  const end = waitEndOf(queue, settings);
  return end !== null && end <= engine.now() ? green : 0;
}
