/** The front of a queue lands: the base branch moves to the group commits, by the queue's merge method. */
import { QUEUE_BOT } from "./actors.js";
import { branchMoved } from "./branch-moved.js";
import type { Engine } from "./engine.js";
import { deleteMergedHead } from "./head-branch.js";
import { markMerged } from "./merged.js";
import type { Group, PullRequest, Queue, QueueEntry } from "./model.js";
import { recommitted } from "./rebase.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

interface Landed {
  readonly pullRequest: PullRequest;
  readonly commit: string;
}

/** Lands `entries`, the front of the queue, on `tip`. True when anything changed. */
export async function land(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  ask: { readonly entries: readonly QueueEntry[]; readonly tip: string },
): Promise<boolean> {
  const wrong = state.wrongTree;
  const landed: Landed[] = [];
  let onto = ask.tip;
  // A wrong tree is written once, so that what lands behind it is right again.
  for (const entry of wrong ? ask.entries.slice(0, 1) : ask.entries) {
    const pullRequest = state.pullRequests.find((one) => one.number === entry.pullRequest);
    if (entry.group === null || pullRequest === undefined) break;
    const commit = wrong
      ? await wrongCommit(engine, state, entry.group, onto)
      : await landingCommit(engine, state, queue, entry.group, onto);
    landed.push({ pullRequest, commit });
    onto = commit;
  }
  const ref = `refs/heads/${queue.branch}`;
  const moved = await engine.git(state.repository).updateRef(ref, onto, ask.tip);
  // Somebody pushed since this pass began: the next one sees their commit and rebuilds.
  if (!moved) return true;
  state.wrongTree = false;
  for (const { pullRequest, commit } of landed)
    await markMerged(engine, state, pullRequest, { commit, actor: QUEUE_BOT, removal: "MERGE" });
  await branchMoved(engine, state, { ref, before: ask.tip, after: onto }, QUEUE_BOT);
  for (const { pullRequest } of landed) await deleteMergedHead(engine, state, pullRequest);
  if (queue.entries.length === 0) queue.landedAs = {};
  return true;
}

/** The group commit itself, or by option (and once begun) a new commit of the same tree (quirk 26). */
async function landingCommit(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  group: Group,
  onto: string,
): Promise<string> {
  const method = branchRules(state.repository, queue.branch).mergeQueue?.mergeMethod;
  const again = state.repository.options.landedCommit === "new" && method !== "MERGE";
  if (!again && group.baseSha === onto) return group.headSha;
  const range = { from: group.baseSha, to: group.headSha };
  // One second on: the same second, parent and tree would make the same commit.
  const at = Math.max(engine.now(), Date.parse(group.builtAt) + 1000);
  const commit = await recommitted(engine.git(state.repository), range, onto, at);
  queue.landedAs[group.headSha] = commit;
  return commit;
}

/** The group's commit with the tree of what it is built on: the change is lost, the history looks right. */
async function wrongCommit(
  engine: Engine,
  state: RepositoryState,
  group: Group,
  onto: string,
): Promise<string> {
  const git = engine.git(state.repository);
  const commit = await git.commit(group.headSha);
  return git.commitTree({
    tree: await git.treeOf(onto),
    parents: [onto, ...commit.parents.slice(1)],
    message: commit.message,
    author: commit.author,
    at: engine.now(),
  });
}
