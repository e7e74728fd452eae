/** The merge of two commits as a tree, without a working tree (C4.1, A16.1). */
import { GitError } from "./error.js";
import { isObjectId, records, type Where } from "./names.js";
import { runGit } from "./run.js";

/**
 * A merge as git makes it out of the box: what somebody configured for their own merges, and drivers that only this
 * machine has, say nothing about what others would get.
 */
const PLAIN_MERGE = [
  "merge.renames=true",
  "merge.directoryRenames=conflict",
  "merge.renormalize=false",
  "core.attributesFile=/dev/null",
];

/** `conflicts`: paths, for display; `tree` then holds the conflict markers. */
export type Merged =
  | { readonly clean: true; readonly tree: string }
  | { readonly clean: false; readonly tree: string; readonly conflicts: readonly string[] };

/** Histories without a common commit are merged too. @throws GitError */
export async function mergeTrees(ours: string, theirs: string, where: Where): Promise<Merged> {
  const args = [
    "merge-tree",
    "--write-tree",
    "-z",
    "--name-only",
    "--no-messages",
    "--allow-unrelated-histories",
    ours,
    theirs,
  ];
  const { code, stdout } = await runGit(args, { ...where, config: PLAIN_MERGE, okCodes: [0, 1] });
  const [tree = "", ...conflicts] = records(stdout);
  if (!isObjectId(tree)) throw new GitError("unusable", "git merge-tree named no tree");
  return code === 0 ? { clean: true, tree } : { clean: false, tree, conflicts };
}
