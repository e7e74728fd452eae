/**
 * Object ids and ref names, as they may be put on a command line. A branch can be called
 * `--upload-pack=x`; its full name cannot be taken for an option (case C19).
 */
import { GitError } from "./error.js";
import { runGit, type RunOptions } from "./run.js";

/** Where and how long to run: what every reading function of this folder takes. */
export type Where = Pick<RunOptions, "cwd" | "signal">;

/** SHA-1 or SHA-256, in full: an abbreviation may become ambiguous and a name may move. */
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** @throws GitError `unusable` when `text` is not a full, lower-case object id. */
export function requireObjectId(what: string, text: string): string {
  if (isObjectId(text)) return text;
  throw new GitError("unusable", `the ${what} ${JSON.stringify(text)} is not a full object id`);
}

/**
 * `refs/heads/<branch>` when git accepts that as the name of a ref.
 * @throws GitError `failed` or `not_started` when it does not.
 */
export async function branchRef(branch: string, where: Where): Promise<string> {
  return checkedRef(`refs/heads/${branch}`, where);
}

/** `refs/remotes/<remote>/<branch>`, checked likewise. */
export async function trackingRef(remote: string, branch: string, where: Where): Promise<string> {
  return checkedRef(`refs/remotes/${remote}/${branch}`, where);
}

async function checkedRef(ref: string, where: Where): Promise<string> {
  const { code } = await runGit(["check-ref-format", ref], { ...where, okCodes: [0, 1] });
  if (code === 0) return ref;
  throw new GitError("unusable", `${JSON.stringify(ref)} is not a name git allows for a ref`);
}

/** The commit a ref or object id names, or null when there is none. */
export async function commitOf(revision: string, where: Where): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { code, stdout } = await runGit(args, { ...where, okCodes: [0, 1] });
  return code === 0 ? line(stdout) : null;
}

/** @throws GitError when the commit cannot be read. */
export async function treeOf(commit: string, where: Where): Promise<string> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  return line((await runGit(args, where)).stdout);
}

/** Whether `descendant` contains `ancestor` (equal counts). @throws GitError when git cannot tell. */
export async function contains(
  descendant: string,
  ancestor: string,
  where: Where,
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  return (await runGit(args, { ...where, okCodes: [0, 1] })).code === 0;
}

/** One line of git's output without its line feed: nothing else is taken off, a path may end in a space. */
export function line(stdout: Buffer): string {
  const end = stdout.at(-1) === 10 ? stdout.length - 1 : stdout.length;
  return stdout.toString("utf8", 0, end);
}

/** The records of `-z` output. Bytes that are not UTF-8 become U+FFFD: for display only (case C29). */
export function records(stdout: Buffer): readonly string[] {
  const text = stdout.toString("utf8");
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}
