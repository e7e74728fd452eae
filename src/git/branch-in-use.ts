/** Operations that hold a branch while no worktree has it checked out. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Where } from "./names.js";

/** Files in which git keeps the branch that an unfinished operation will come back to. */
const HOLDERS = [
  ["rebase-merge/head-name", "an unfinished rebase"],
  ["rebase-apply/head-name", "an unfinished rebase"],
  ["BISECT_START", "an unfinished bisect"],
] as const;

/**
 * What still needs the branch `ref` in any worktree of the repository whose common directory is
 * `where.cwd`, in words; null when nothing does.
 */
export async function branchInUse(ref: string, where: Where): Promise<string | null> {
  const linked = await readdir(join(where.cwd, "worktrees")).catch(() => []);
  const folders = [where.cwd, ...linked.map((name) => join(where.cwd, "worktrees", name))];
  for (const folder of folders) {
    for (const [file, what] of HOLDERS) {
      const held = await readFile(join(folder, file), "utf8").catch(() => "");
      const name = held.trim();
      if (name === ref || `refs/heads/${name}` === ref) return `${what} (${folder})`;
    }
  }
  return null;
}
