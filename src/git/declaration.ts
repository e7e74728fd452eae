/** The gate declaration of a commit (A2.1). */
import { declarationPath } from "../core/gate/declaration.js";
import type { DeclarationRead } from "../core/gate/rules.js";
import { GitError } from "./error.js";
import { records, type Where } from "./names.js";
import { runGit } from "./run.js";

/** A declaration has some forty lines; what is far longer is something else. */
const LONGEST = 65_536;

/** Reads `.yoke/merge-queue.json` out of `commit`, never the file of the worktree. A symbolic link is not followed. */
export async function readDeclaration(commit: string, where: Where): Promise<DeclarationRead> {
  const args = ["ls-tree", "-z", "--full-tree", "--end-of-options", commit, declarationPath];
  const [entry] = records((await runGit(args, where)).stdout);
  if (entry === undefined) return { read: "absent" };
  const [mode = "", , oid = ""] = entry.split(/[ \t]/);
  if (!mode.startsWith("100")) return { read: "unreadable", why: `${declarationPath} is no file` };
  try {
    const { stdout } = await runGit(["cat-file", "blob", oid], {
      ...where,
      maxOutputBytes: LONGEST,
    });
    return { read: "text", text: stdout.toString("utf8") };
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== "output_too_large") throw error;
    return { read: "unreadable", why: `${declarationPath} is longer than ${LONGEST} bytes` };
  }
}
