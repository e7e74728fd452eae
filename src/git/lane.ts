/** Reading a lane: what the exact candidate would be, and what stands in its way (A1.2). */
import { existsSync } from "node:fs";
import { readDeclaration } from "./declaration.js";
import { GitError } from "./error.js";
import { commonDirectory, gitDirectory, topOfWorktree } from "./repository.js";
import { commitOf, treeOf, type Where } from "./names.js";
import type { LaneReading } from "./port.js";
import { headBranch, worktreeStatus } from "./worktree-status.js";

/** Names of dirty paths that are handed on; the rest adds nothing to "it is dirty". */
const DIRTY_NAMED = 20;
/** Somebody may commit while the lane is read; a reading of two states is no reading. */
const READINGS = 3;

/**
 * Reads the lane at `path` (any folder inside the worktree).
 *
 * @throws GitError when it is not a worktree, has no commit yet, or moved during every reading; of kind `gone` when there
 *   is no such folder, or none any more: a close-out may take it away while it is read.
 */
export async function readLane(
  path: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<LaneReading> {
  try {
    return await read(path, options);
  } catch (error) {
    if (!(error instanceof GitError) || error.kind === "cancelled" || existsSync(path)) throw error;
    throw new GitError("gone", `there is no folder ${path}`);
  }
}

async function read(
  path: string,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<LaneReading> {
  const inside: Where = { cwd: path, signal: options.signal };
  const [top, commonDir, gitDir] = await Promise.all([
    topOfWorktree(inside),
    commonDirectory(inside),
    gitDirectory(inside),
  ]);
  const where: Where = { ...inside, cwd: top };
  for (let reading = 0; reading < READINGS; reading += 1) {
    const branch = await headBranch(where);
    const { head, dirty } = await worktreeStatus(where);
    if (head === null) throw new GitError("unusable", `the lane ${top} has no commit yet`);
    const tree = await treeOf(head, where);
    const declaration = await readDeclaration(head, where);
    const [branchNow, headNow] = await Promise.all([headBranch(where), commitOf("HEAD", where)]);
    if (branchNow !== branch || headNow !== head) continue;
    return {
      path: top,
      commonDir,
      branch,
      head,
      tree,
      dirty: dirty.slice(0, DIRTY_NAMED),
      linkedWorktree: gitDir !== commonDir,
      declaration,
    };
  }
  throw new GitError("unusable", `HEAD of the lane ${top} kept moving while it was read`);
}
