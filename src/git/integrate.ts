/** Brings another lane's branch into an integration lane (A13.2): a merge in the lane, with its own hooks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { refuse, type Refusal } from "../core/refusals.js";
import { GitError } from "./error.js";
import { line, type Where } from "./names.js";
import { printable } from "./redact.js";
import { commonDirectory, gitDirectory } from "./repository.js";
import { runGit } from "./run.js";

export type Integrated = { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal };

/** A merge may run the project's own checks as commit hooks. */
const mergeTimeoutMs = 600_000;

/**
 * Merges `branch` into the branch of the worktree; one that it has already changes nothing. What git or a commit hook
 * refuses stays as it is, in the lane: nothing is aborted, and a pending merge is completed by whoever fixes it.
 */
export async function integrateBranch(ask: {
  readonly item: string;
  readonly path: string;
  readonly branch: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<Integrated> {
  const { item, path, branch, signal } = ask;
  const where = { cwd: path, ...(signal === undefined ? {} : { signal }) };
  const refused = (words: string): Integrated => ({
    ok: false,
    refusal: refuse("merge_integration_refused", words, { item, path, branch }),
  });
  if (existsSync(join(await gitDirectory(where), "MERGE_HEAD"))) {
    return refused(`A merge is pending in ${path}; it is not completed.`);
  }
  const merge = ["merge", "--no-edit", "--end-of-options", `refs/heads/${branch}`];
  const config = [`core.hooksPath=${await hooksOf(where)}`];
  try {
    const answer = await runGit(merge, {
      ...where,
      config,
      timeoutMs: mergeTimeoutMs,
      okCodes: [0, 1],
    });
    if (answer.code === 0) return { ok: true };
    // Conflicts are told on standard output, what a hook says on either.
    return refused(`${printable(answer.stdout.toString("utf8"))}\n${answer.stderr}`.trim());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return refused(error.words);
  }
}

/** Where this repository has its hooks: every other call of git runs none. */
async function hooksOf(where: Where): Promise<string> {
  for (const scope of ["--local", "--global", "--system"]) {
    const asked = ["config", scope, "--get", "core.hooksPath"];
    const { code, stdout } = await runGit(asked, { ...where, okCodes: [0, 1, 128] });
    if (code === 0) return line(stdout);
  }
  return join(await commonDirectory(where), "hooks");
}
