/** Where a worktree and its repository are. */
import { realpath } from "node:fs/promises";

import { GitError } from "./error.js";
import { line, type Where } from "./names.js";
import { runGit } from "./run.js";

/**
 * Absolute, real path of the git common directory of the repository `where.cwd` belongs to.
 * @throws GitError when it is in no repository.
 */
export async function commonDirectory(where: Where): Promise<string> {
  return folder("--git-common-dir", where);
}

/** The git directory of the worktree itself: differs from the common one in a linked worktree. */
export async function gitDirectory(where: Where): Promise<string> {
  return folder("--absolute-git-dir", where);
}

/** Absolute, real path of the top of the worktree. @throws GitError in a bare repository. */
export async function topOfWorktree(where: Where): Promise<string> {
  return folder("--show-toplevel", where);
}

async function folder(option: string, where: Where): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", option];
  const { stdout } = await runGit(args, where);
  const path = line(stdout);
  if (!Buffer.from(path).equals(stdout.subarray(0, stdout.length - 1))) {
    throw new GitError("unusable", `the path ${JSON.stringify(path)} is not UTF-8`);
  }
  return realpath(path);
}
