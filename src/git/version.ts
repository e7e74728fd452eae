/** Which git is there, and whether it is new enough. */
import { GitError } from "./error.js";
import { runGit } from "./run.js";

/** `merge-tree --write-tree` came with 2.38, and 2.39 is what is tested. */
export const MINIMUM_GIT = "2.39";

/** `git version 2.39.5 (Apple Git-154)` → `2.39.5`. @throws GitError when it says something else. */
export function parseGitVersion(answer: string): string {
  const version = /^git version (\d+\.\d+(?:\.\d+)*)/.exec(answer)?.[1];
  if (version === undefined) {
    throw new GitError("unusable", `git says ${JSON.stringify(answer)}, which names no version`);
  }
  return version;
}

/** Whether `version` is at least `minimum`, compared number by number. */
export function atLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => text.split(".").map(Number));
  for (const [at, wanted] of (want ?? []).entries()) {
    const part = have?.[at] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** The version of the git on PATH. @throws GitError `not_started` when there is none. */
export async function gitVersion(signal?: AbortSignal): Promise<string> {
  const { stdout } = await runGit(["version"], { cwd: "/", signal });
  return parseGitVersion(stdout.toString("utf8").trim());
}

/** @throws GitError `unusable` when the git on PATH is older than `MINIMUM_GIT`. */
export async function requireGit(signal?: AbortSignal): Promise<void> {
  const version = await gitVersion(signal);
  if (atLeast(version, MINIMUM_GIT)) return;
  throw new GitError(
    "unusable",
    `git ${version} is older than ${MINIMUM_GIT}: install a newer git`,
  );
}
