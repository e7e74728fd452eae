/** The worktrees of a repository, as `git worktree list` names them. */
import { records, type Where } from "./names.js";
import { runGit } from "./run.js";

export interface Worktree {
  readonly path: string;
  /** Full name of the ref HEAD is on; null when detached. */
  readonly ref: string | null;
  /** The first of the list; it cannot be removed. */
  readonly main: boolean;
  /** Reason, possibly empty; null when not locked. */
  readonly locked: string | null;
  /** Its folder is gone. */
  readonly prunable: boolean;
}

export async function listWorktrees(where: Where): Promise<readonly Worktree[]> {
  const { stdout } = await runGit(["worktree", "list", "--porcelain", "-z"], where);
  return parseWorktrees(records(stdout));
}

/** Lines of `worktree list --porcelain -z`; an empty one ends a worktree. */
export function parseWorktrees(lines: readonly string[]): readonly Worktree[] {
  const worktrees: Worktree[] = [];
  for (const text of lines) {
    const space = text.indexOf(" ");
    const [key, value] = space < 0 ? [text, ""] : [text.slice(0, space), text.slice(space + 1)];
    if (key === "worktree") {
      const main = worktrees.length === 0;
      worktrees.push({ path: value, ref: null, main, locked: null, prunable: false });
      continue;
    }
    const current = worktrees.pop();
    if (current === undefined) continue;
    if (key === "branch") worktrees.push({ ...current, ref: value });
    else if (key === "locked") worktrees.push({ ...current, locked: value });
    else if (key === "prunable") worktrees.push({ ...current, prunable: true });
    else worktrees.push(current);
  }
  return worktrees;
}
