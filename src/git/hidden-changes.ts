/**
 * Changes that the index was told to hide (`update-index --assume-unchanged`, `--skip-worktree`).
 * `git status` calls such a lane clean and `git worktree remove` deletes them, so the marked files
 * are compared through an index that holds them without the marks.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { records, type Where } from "./names.js";
import { runGit } from "./run.js";

/**
 * Marked paths whose file differs from the index, for display. A file that a sparse checkout left
 * out is not there and does not count. `where.cwd` is the top of the worktree.
 */
export async function hiddenChanges(where: Where): Promise<readonly string[]> {
  const marked = await markedEntries(where);
  if (marked.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "yoke-index-"));
  try {
    const options = {
      ...where,
      env: { GIT_INDEX_FILE: join(folder, "index") },
      config: ["core.sparseCheckout=false", "core.ignoreStat=false"],
    };
    const input = Buffer.from(marked.map(({ entry }) => `${entry}\0`).join(""), "latin1");
    await runGit(["update-index", "-z", "--index-info"], { ...options, input });
    // Fills in what the files look like; 1 says that some need an update, which is the question.
    await runGit(["update-index", "-q", "--refresh"], { ...options, okCodes: [0, 1] });
    const { stdout } = await runGit(["diff-files", "-z", "--name-status"], options);
    return differing(records(stdout), marked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface MarkedEntry {
  /** `<mode> <object> <stage>\t<path>`, one character a byte: it goes back to git as it came. */
  readonly entry: string;
  readonly path: string;
  readonly mayBeAbsent: boolean;
}

async function markedEntries(where: Where): Promise<readonly MarkedEntry[]> {
  const { stdout } = await runGit(["ls-files", "-z", "-v", "--stage"], where);
  const marked: MarkedEntry[] = [];
  for (const record of stdout.toString("latin1").split("\0")) {
    const tag = record.charAt(0);
    // A lower-case letter means "assume unchanged"; S means "skip worktree" (git-ls-files, -v).
    if (tag === "" || (tag !== "S" && tag === tag.toUpperCase())) continue;
    const entry = record.slice(2);
    const bytes = Buffer.from(entry.slice(entry.indexOf("\t") + 1), "latin1");
    marked.push({ entry, path: bytes.toString("utf8"), mayBeAbsent: tag.toUpperCase() === "S" });
  }
  return marked;
}

function differing(pairs: readonly string[], marked: readonly MarkedEntry[]): string[] {
  const mayBeAbsent = new Set(marked.filter((entry) => entry.mayBeAbsent).map(({ path }) => path));
  const paths: string[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [status, path] = [pairs[at] ?? "", pairs[at + 1] ?? ""];
    if (status !== "D" || !mayBeAbsent.has(path)) paths.push(path);
  }
  return paths;
}
