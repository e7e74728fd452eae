/** What was reported on a commit, found without reading all reports. The lists only ever grow. */
import type { CheckRun, CommitStatus } from "./model.js";
import type { RepositoryState } from "./state.js";

interface Index {
  read: number;
  readonly bySha: Map<string, unknown[]>;
}

const indexes = new WeakMap<readonly unknown[], Index>();

/** Oldest first. */
export function checkRunsAt(state: RepositoryState, sha: string): readonly CheckRun[] {
  return at(state.checkRuns, sha, (run) => run.headSha);
}

/** Oldest first. */
export function statusesAt(state: RepositoryState, sha: string): readonly CommitStatus[] {
  return at(state.statuses, sha, (status) => status.sha);
}

function at<T>(list: readonly T[], sha: string, shaOf: (one: T) => string): readonly T[] {
  const index = indexes.get(list) ?? { read: 0, bySha: new Map() };
  indexes.set(list, index);
  for (const one of list.slice(index.read)) {
    const known = index.bySha.get(shaOf(one));
    if (known === undefined) index.bySha.set(shaOf(one), [one]);
    else known.push(one);
  }
  index.read = list.length;
  return (index.bySha.get(sha) ?? []) as T[];
}
