/** Snapshots of pull requests, so that reads can lag writes (quirk 24). */
import type { Engine } from "./engine.js";
import type { PullRequest, PullRequestView, QueueEntryView, Repository } from "./model.js";
import type { RepositoryState } from "./state.js";

interface Snapshot {
  readonly at: number;
  readonly view: PullRequestView;
}

/** Snapshots kept of one pull request; reads older than the oldest see the oldest. */
const KEPT = 64;

export class Snapshots {
  readonly #byPullRequest = new Map<number, Snapshot[]>();

  take(repository: RepositoryState, pullRequest: PullRequest, at: number): void {
    const view = structuredClone(liveView(repository, pullRequest));
    const snapshots = this.#byPullRequest.get(pullRequest.id) ?? [];
    // Within one moment only the last state can be seen.
    if (snapshots.at(-1)?.at === at) snapshots.pop();
    snapshots.push({ at, view });
    if (snapshots.length > KEPT) snapshots.shift();
    this.#byPullRequest.set(pullRequest.id, snapshots);
  }

  /** The state at a moment; null before the pull request was made. */
  at(pullRequest: PullRequest, moment: number): PullRequestView | null {
    const snapshots = this.#byPullRequest.get(pullRequest.id) ?? [];
    const found = snapshots.findLast((one) => one.at <= moment);
    if (found !== undefined) return found.view;
    const oldest = snapshots[0];
    return oldest !== undefined && snapshots.length === KEPT ? oldest.view : null;
  }
}

export function pullRequestView(
  engine: Engine,
  repository: Repository,
  number: number,
  at?: number,
): PullRequestView | null {
  const state = engine.repositoryState(repository);
  const pullRequest = state.pullRequests.find((one) => one.number === number);
  if (pullRequest === undefined) return null;
  const moment = at ?? engine.now() - repository.options.lagMs;
  if (moment >= engine.now()) return liveView(state, pullRequest);
  return engine.snapshots.at(pullRequest, moment);
}

function liveView(state: RepositoryState, pullRequest: PullRequest): PullRequestView {
  return { pullRequest, entry: entryView(state, pullRequest.number) };
}

/** The entry of a pull request with its position; null when it is in no queue. */
export function entryView(state: RepositoryState, number: number): QueueEntryView | null {
  for (const queue of state.queues) {
    const index = queue.entries.findIndex((entry) => entry.pullRequest === number);
    const entry = queue.entries[index];
    if (entry !== undefined) return { ...entry, position: index + 1 };
  }
  return null;
}
