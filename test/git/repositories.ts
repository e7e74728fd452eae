/** Real repositories in a temporary folder, made with plain git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.test",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.test",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

/** A folder of this test, with its real path; gone when the test is over. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "yoke-git-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs git as a user would and answers what it printed, without the last line feed. */
export function git(cwd: string, ...args: string[]): string {
  return gitWith(cwd, args);
}

export function gitWith(
  cwd: string,
  args: readonly string[],
  {
    env: extra,
    ...options
  }: { readonly input?: Buffer | string; readonly env?: NodeJS.ProcessEnv } = {},
): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(inherited), ...IDENTITY, ...extra };
  return execFileSync("git", args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    ...options,
  }).replace(/\n$/, "");
}

/** Writes `files`, commits them on what is checked out, and answers the commit. */
export function commit(cwd: string, files: Readonly<Record<string, string>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  git(cwd, "add", "--all");
  git(cwd, "commit", "--quiet", "--allow-empty", "-m", Object.keys(files).join(", ") || "empty");
  return git(cwd, "rev-parse", "HEAD");
}

/** Merges `commits` into what is checked out, always with a merge commit, and answers it. */
export function mergeInto(cwd: string, ...commits: string[]): string {
  git(cwd, "merge", "--quiet", "--no-ff", "-m", "Merge", ...commits);
  return git(cwd, "rev-parse", "HEAD");
}

/** A repository on branch `main` with one commit. */
export function repository(folder: string, name = "project"): string {
  const path = join(folder, name);
  git(folder, "init", "--quiet", "--initial-branch=main", path);
  commit(path, { "README.md": "# project\n" });
  return path;
}

export interface Published {
  readonly folder: string;
  /** Bare. Only `upstream` writes to it. */
  readonly remote: string;
  /** Where the gate branch is made: stands for GitHub's queue. */
  readonly upstream: string;
  /** A clone with remote `origin`: the repository of the lanes. */
  readonly clone: string;
}

export function published(): Published {
  const folder = temporaryFolder();
  const upstream = repository(folder, "upstream");
  const remote = join(folder, "remote.git");
  git(folder, "clone", "--quiet", "--bare", upstream, remote);
  git(upstream, "remote", "add", "origin", remote);
  const clone = join(folder, "clone");
  git(folder, "clone", "--quiet", remote, clone);
  return { folder, remote, upstream, clone };
}

/** A lane of the clone: a linked worktree on a new branch from the gate branch. */
export function lane(clone: string, branch: string, from = "main"): string {
  const path = join(dirname(clone), `lane-${branch.replaceAll("/", "-")}`);
  git(clone, "worktree", "add", "--quiet", "-b", branch, path, from);
  return path;
}

/** Every ref of a repository with its object, for "nothing changed" and "only this changed". */
export function refs(cwd: string): string {
  return git(cwd, "for-each-ref", "--format=%(refname) %(objectname)");
}
