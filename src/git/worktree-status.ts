/** What is in a worktree that no commit holds. */
import { line, records, type Where } from "./names.js";
import { hiddenChanges } from "./hidden-changes.js";
import { runGit } from "./run.js";

export interface WorktreeStatus {
  /** The commit of HEAD, null before the first one. */
  readonly head: string | null;
  /** Staged, changed, untracked and unmerged paths, for display. Ignored files are not work. */
  readonly dirty: readonly string[];
}

/**
 * HEAD and every path that differs from it, read by one git process so that they belong together.
 * Settings of the repository that hide changes do not count: untracked files are listed, submodules
 * are looked into, and files marked "assume unchanged" or "skip worktree" are compared all the same.
 *
 * @throws GitError when `where.cwd` is not the top of a worktree.
 */
export async function worktreeStatus(where: Where): Promise<WorktreeStatus> {
  const args = [
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=none",
    "--no-renames",
    "--no-ahead-behind",
  ];
  const { head, dirty } = parseStatus(records((await runGit(args, where)).stdout));
  return { head, dirty: [...new Set([...dirty, ...(await hiddenChanges(where))])] };
}

/** Porcelain version 2 (git-status, "Porcelain Format Version 2"); `--no-renames` leaves no type `2`. */
export function parseStatus(entries: readonly string[]): WorktreeStatus {
  let head: string | null = null;
  const dirty: string[] = [];
  for (const entry of entries) {
    if (entry.startsWith("# branch.oid ")) {
      const oid = entry.slice("# branch.oid ".length);
      head = oid === "(initial)" ? null : oid;
    } else if (entry.startsWith("1 ")) dirty.push(afterFields(entry, 8));
    else if (entry.startsWith("u ")) dirty.push(afterFields(entry, 10));
    else if (entry.startsWith("? ")) dirty.push(entry.slice(2));
  }
  return { head, dirty };
}

function afterFields(entry: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = entry.indexOf(" ", at) + 1;
  return entry.slice(at);
}

/** The branch HEAD is on, null when detached or outside `refs/heads/`. */
export async function headBranch(where: Where): Promise<string | null> {
  const { code, stdout } = await runGit(["symbolic-ref", "--quiet", "HEAD"], {
    ...where,
    okCodes: [0, 1],
  });
  const ref = line(stdout);
  return code === 0 && ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}
