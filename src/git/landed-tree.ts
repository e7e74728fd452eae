/** The tree of a landed commit beside the clean merge it should be (A16.1). */
import type { TreeComparison } from "../core/landing/integrity.js";
import { mergeTrees } from "./merge-trees.js";
import { contains, line, records, treeOf, type Where } from "./names.js";
import { runGit } from "./run.js";

/** Compares the tree of `landed` with the merge of its first parent and the candidate. @throws GitError */
export async function compareLanded(
  ask: { readonly landed: string; readonly candidate: string },
  where: Where,
): Promise<TreeComparison> {
  if (ask.landed === ask.candidate) return { found: "candidate_itself" };
  const [onto, brought, ...more] = await parentsOf(ask.landed, where);
  if (onto === undefined) return { found: "no_parent" };
  if (more.length > 0) return { found: "octopus" };
  // Another branch may have brought the candidate along; then its merge is of that branch.
  const other =
    brought !== undefined && (await contains(brought, ask.candidate, where))
      ? brought
      : ask.candidate;
  return compareWithMerge({ landed: ask.landed, onto, other }, where);
}

/** Compares the tree of `landed` with the merge of `onto` and `other`. @throws GitError */
export async function compareWithMerge(
  ask: { readonly landed: string; readonly onto: string; readonly other: string },
  where: Where,
): Promise<TreeComparison> {
  const { landed, onto, other } = ask;
  const merge = await mergeTrees(onto, other, where);
  if (!merge.clean) return { found: "conflict", onto, paths: merge.conflicts };
  const tree = await treeOf(landed, where);
  if (tree === merge.tree) return { found: "equal" };
  const names = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options"];
  const { stdout } = await runGit([...names, merge.tree, tree], where);
  return { found: "differs", onto, paths: records(stdout) };
}

/** In order; none for the first commit of a history. */
export async function parentsOf(commit: string, where: Where): Promise<readonly string[]> {
  const args = ["rev-list", "--parents", "--max-count=1", "--end-of-options", commit];
  const [, ...parents] = line((await runGit(args, where)).stdout).split(" ");
  return parents;
}
