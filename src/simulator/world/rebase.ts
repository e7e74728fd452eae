/** Replaying commits without a work tree. */
import type { Commit, GitDirectory } from "./git.js";

/**
 * The commits of `head` that `onto` has not, replayed on `onto` one by one, merges left out. Null when
 * one conflicts; `onto` itself when nothing is left.
 */
export async function rebasedOnto(
  git: GitDirectory,
  onto: string,
  head: string,
  at: number,
): Promise<string | null> {
  let tip = onto;
  for (const commit of await git.commitsBetween(onto, head)) {
    if (commit.parents.length > 1) continue;
    const tree = await replayedTree(git, tip, commit);
    if (tree === null) return null;
    if (tree === (await git.treeOf(tip))) continue;
    tip = await git.commitTree({
      tree,
      parents: [tip],
      message: commit.message,
      author: commit.author,
      at,
    });
  }
  return tip;
}

/** `from..to`, made again on `onto` with the same trees: other commits, equal content. */
export async function recommitted(
  git: GitDirectory,
  range: { readonly from: string; readonly to: string },
  onto: string,
  at: number,
): Promise<string> {
  let tip = onto;
  for (const commit of await git.commitsBetween(range.from, range.to))
    tip = await git.commitTree({
      tree: commit.tree,
      parents: [tip],
      message: commit.message,
      author: commit.author,
      at,
    });
  return tip;
}

/**
 * Tree of one commit picked onto another. git before 2.40 takes no merge base for `merge-tree`; a commit
 * with the tree of `onto` and the picked commit's parent makes that parent the merge base.
 */
async function replayedTree(
  git: GitDirectory,
  onto: string,
  commit: Commit,
): Promise<string | null> {
  const stand = await git.commitTree({
    tree: await git.treeOf(onto),
    parents: commit.parents,
    message: "stand-in for a merge base",
    author: commit.author,
    at: 0,
  });
  return git.mergeTree(stand, commit.sha);
}
