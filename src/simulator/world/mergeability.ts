/** `mergeable` and `mergeStateStatus` of a pull request, with their UNKNOWN windows (quirk 1). */
import { emailOf } from "./actors.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import type { PullRequest, Repository } from "./model.js";
import { isBehind, unmetRules } from "./readiness.js";
import { notFound } from "./refusal.js";
import { allReportsVerdict } from "./required-checks.js";
import type { RepositoryState } from "./state.js";

export type MergeStateStatus =
  "BEHIND" | "BLOCKED" | "CLEAN" | "DIRTY" | "DRAFT" | "UNKNOWN" | "UNSTABLE";

export interface Mergeability {
  readonly mergeable: "MERGEABLE" | "CONFLICTING" | "UNKNOWN";
  readonly mergeStateStatus: MergeStateStatus;
  /** GitHub's test merge; null while unknown, in conflict, no longer open, or not asked for. */
  readonly potentialMergeCommit: string | null;
}

const UNKNOWN: Mergeability = {
  mergeable: "UNKNOWN",
  mergeStateStatus: "UNKNOWN",
  potentialMergeCommit: null,
};

export async function mergeabilityFor(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: { readonly computeMergeable: boolean; readonly testMerge?: boolean },
): Promise<Mergeability> {
  const state = engine.repositoryState(repository);
  const pullRequest = state.pullRequests.find((one) => one.number === number);
  if (pullRequest === undefined) throw notFound(`a PullRequest with the number of ${number}`);
  if (
    pullRequest.state !== "OPEN" ||
    stillUnknown(engine, state, pullRequest, ask.computeMergeable)
  )
    return UNKNOWN;
  const git = engine.git(repository);
  const tree = await engine.mergeTrees.tree(git, pullRequest.baseSha, pullRequest.headSha);
  return {
    mergeable: tree === null ? "CONFLICTING" : "MERGEABLE",
    mergeStateStatus: await mergeState(engine, state, pullRequest, tree === null),
    potentialMergeCommit:
      tree === null || ask.testMerge === false
        ? null
        : await testMerge(engine, state, pullRequest, tree),
  };
}

/** The state without windows, as GitHub decides on it when somebody asks for a change. */
export async function decidedMergeState(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
): Promise<MergeStateStatus> {
  const git = engine.git(state.repository);
  const tree = await engine.mergeTrees.tree(git, pullRequest.baseSha, pullRequest.headSha);
  return mergeState(engine, state, pullRequest, tree === null);
}

async function mergeState(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  conflicting: boolean,
): Promise<MergeStateStatus> {
  if (conflicting) return "DIRTY";
  if (pullRequest.isDraft) return "DRAFT";
  if (unmetRules(state, pullRequest).length > 0) return "BLOCKED";
  if (await isBehind(engine, state, pullRequest)) return "BEHIND";
  return allReportsVerdict(state, pullRequest.headSha) === "success" ? "CLEAN" : "UNSTABLE";
}

/** The first read that asks for `mergeable` opens the window of this pair of base and head. */
function stillUnknown(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  asked: boolean,
): boolean {
  const { unknownReads, unknownMs } = state.repository.options;
  if (unknownReads === 0 && unknownMs === 0) return false;
  const key = `${pullRequest.baseSha}:${pullRequest.headSha}`;
  let window = state.windows[pullRequest.number];
  if (window?.key !== key) {
    if (!asked) return true;
    window = { key, since: engine.now(), readsLeft: unknownReads };
    state.windows[pullRequest.number] = window;
  }
  if (window.readsLeft > 0) {
    if (asked) window.readsLeft -= 1;
    return true;
  }
  return engine.now() < window.since + unknownMs;
}

async function testMerge(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  tree: string,
): Promise<string> {
  const git = engine.git(state.repository);
  const sha = await git.commitTree({
    tree,
    parents: [pullRequest.baseSha, pullRequest.headSha],
    message: `Merge ${pullRequest.headSha} into ${pullRequest.baseSha}`,
    author: { name: pullRequest.author.login, email: emailOf(pullRequest.author) },
    // The same pair has one test merge, however often it is read.
    at: Date.parse(pullRequest.createdAt),
  });
  const ref = `refs/pull/${pullRequest.number}/merge`;
  const old = await git.resolve(ref);
  if (old !== sha) await git.updateRef(ref, sha, old ?? ZERO_OID);
  return sha;
}
