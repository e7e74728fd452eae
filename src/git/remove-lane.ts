/** Taking a landed lane away: its worktree and its branch, and only when no work is in them (A11.4). */
import { realpath, stat } from "node:fs/promises";
import { sep } from "node:path";

import { branchInUse } from "./branch-in-use.js";
import { GitError } from "./error.js";
import { branchRef, commitOf, contains, line, requireObjectId, type Where } from "./names.js";
import type { LaneRemoval } from "./port.js";
import { commonDirectory } from "./repository.js";
import { runGit } from "./run.js";
import { listWorktrees, type Worktree } from "./worktree-list.js";
import { worktreeStatus } from "./worktree-status.js";

export interface RemovalQuestion {
  /** Any folder of the repository, or its git directory. */
  readonly repository: string;
  readonly worktree: string;
  readonly branch: string;
  readonly candidate: string;
  /** The commit of the gate branch that carries the candidate, proved before. */
  readonly carriedBy: string;
}

type Kept = Extract<LaneRemoval, { removed: false }>;

/** A git that broke off may have had its effect: what is left is looked at once more before that is an answer. */
const LOOKS = 2;

/**
 * Removes the linked worktree and then the local branch, or says why it kept them. Never forced,
 * never on a remote, and a branch goes only while it is at the commit that was looked at. A second
 * call after a removal answers `removed: true`; one after a crash in between goes on with the branch.
 */
export async function removeLane(
  ask: RemovalQuestion,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<LaneRemoval> {
  for (let look = 1; ; look += 1) {
    try {
      return await remove(ask, options.signal);
    } catch (error) {
      if (!(error instanceof GitError) || error.kind === "cancelled") throw error;
      if (look < LOOKS) continue;
      return kept(
        `git could not finish: ${error.words}`,
        `Repair what git names in ${ask.repository}, then enter the same command again.`,
      );
    }
  }
}

function kept(why: string, next: string): Kept {
  return { removed: false, why, next };
}

async function remove(ask: RemovalQuestion, signal: AbortSignal | undefined): Promise<LaneRemoval> {
  requireObjectId("candidate", ask.candidate);
  requireObjectId("carrying commit", ask.carriedBy);
  // From the common directory: the lane's own folder is about to go.
  const where: Where = { cwd: await commonDirectory({ cwd: ask.repository, signal }), signal };
  const ref = await branchRef(ask.branch, where);
  const worktrees = await listWorktrees(where);
  const lane = await find(ask.worktree, worktrees);
  const tip = await commitOf(ref, where);

  const reason =
    (lane === null ? await strangeFolder(ask) : worktreeKept(ask, lane, ref, worktrees)) ??
    (await elsewhere(ask, lane, ref, worktrees, where)) ??
    (tip === null ? null : await unmerged(ask, tip, ref, where)) ??
    (lane === null ? null : await uncommitted(lane, signal));
  if (reason !== null) return reason;
  if (lane !== null) await runGit(["worktree", "remove", "--end-of-options", lane.path], where);
  if (tip !== null) await deleteBranch(ask, ref, tip, where);
  return { removed: true, branch: ask.branch, worktree: lane?.path ?? null };
}

async function find(path: string, worktrees: readonly Worktree[]): Promise<Worktree | null> {
  const wanted = await realPath(path);
  for (const worktree of worktrees) {
    if (worktree.path === path || (await realPath(worktree.path)) === wanted) return worktree;
  }
  return null;
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** The folder is no worktree of this repository: fine when it is gone, not ours when it is there. */
async function strangeFolder(ask: RemovalQuestion): Promise<Kept | null> {
  const there = await stat(ask.worktree).then(
    () => true,
    () => false,
  );
  if (!there) return null;
  return kept(
    `${ask.worktree} is not a worktree of ${ask.repository}`,
    "Look at what is in that folder; yoke removes worktrees of the lane's own repository only.",
  );
}

function worktreeKept(
  ask: RemovalQuestion,
  lane: Worktree,
  ref: string,
  worktrees: readonly Worktree[],
): Kept | null {
  if (lane.main) {
    return kept(
      `${lane.path} is the main worktree of the repository`,
      `Nothing needs to be done; switch it to another branch and delete ${ask.branch} there if you want it gone.`,
    );
  }
  if (lane.prunable) {
    return kept(
      `the folder ${lane.path} is gone but its worktree is still registered`,
      "Run `git worktree prune` in the repository, then enter the same command again.",
    );
  }
  if (lane.locked !== null) {
    return kept(
      `the worktree ${lane.path} is locked${lane.locked === "" ? "" : `: ${lane.locked}`}`,
      `Run \`git worktree unlock ${lane.path}\` when nobody needs it, then enter the same command again.`,
    );
  }
  if (lane.ref !== ref) {
    const on = lane.ref === null ? "a detached HEAD" : lane.ref;
    return kept(
      `the worktree ${lane.path} is on ${on}, not on ${ref}`,
      `Finish what is going on there and switch back to ${ask.branch}, then enter the same command again.`,
    );
  }
  const inside = worktrees.find((other) => other.path.startsWith(lane.path + sep));
  if (inside !== undefined) {
    return kept(
      `another worktree, ${inside.path}, is inside ${lane.path}`,
      "Move or remove that worktree, then enter the same command again.",
    );
  }
  return null;
}

async function elsewhere(
  ask: RemovalQuestion,
  lane: Worktree | null,
  ref: string,
  worktrees: readonly Worktree[],
  where: Where,
): Promise<Kept | null> {
  const next = `Switch that worktree to another branch, then enter the same command again.`;
  const other = worktrees.find((worktree) => worktree !== lane && worktree.ref === ref);
  if (other !== undefined) return kept(`${ask.branch} is checked out in ${other.path}`, next);
  const use = await branchInUse(ref, where);
  return use === null
    ? null
    : kept(`${ask.branch} is in use: ${use}`, `Finish or abort it. ${next}`);
}

/**
 * Unmerged is what only this branch holds. The candidate itself was proved by the caller; anything
 * else must be in the commit that carries it, and that commit must be on another ref than this one.
 */
async function unmerged(
  ask: RemovalQuestion,
  tip: string,
  ref: string,
  where: Where,
): Promise<Kept | null> {
  if ((await commitOf(ask.carriedBy, where)) === null) {
    return kept(
      `the carrying commit ${ask.carriedBy} is not in the repository`,
      "Fetch the gate branch, then enter the same command again.",
    );
  }
  if (tip !== ask.candidate && !(await contains(ask.carriedBy, tip, where))) {
    return kept(
      `${ask.branch} is at ${tip}, which holds commits that ${ask.carriedBy} does not carry`,
      "Land those commits as an item of their own, or move them to another branch.",
    );
  }
  // Ids and full names only: rev-list takes no `--not` after `--end-of-options`.
  const others = ["--not", `--exclude=${ref}`, "--all"];
  const args = ["rev-list", "--max-count=1", "--single-worktree", ask.carriedBy, ...others];
  const { stdout } = await runGit(args, where);
  if (line(stdout) === "") return null;
  return kept(
    `${ask.branch} is the only ref that holds the carrying commit ${ask.carriedBy}`,
    "Fetch the gate branch, then enter the same command again.",
  );
}

async function uncommitted(lane: Worktree, signal: AbortSignal | undefined): Promise<Kept | null> {
  const { dirty } = await worktreeStatus({ cwd: lane.path, signal });
  if (dirty.length === 0) return null;
  const named = dirty.slice(0, 5).join(", ") + (dirty.length > 5 ? ", …" : "");
  return kept(
    `${lane.path} has uncommitted work: ${named}`,
    "Commit it to another branch, stash it or discard it, then enter the same command again.",
  );
}

/** Compare-and-swap: a commit that was made meanwhile keeps the branch, and the next look names it. */
async function deleteBranch(
  ask: RemovalQuestion,
  ref: string,
  tip: string,
  where: Where,
): Promise<void> {
  await runGit(["update-ref", "--no-deref", "-d", ref, tip], where);
  // As `git branch -d` does; 128 says that there was no such section.
  await runGit(["config", "--local", "--remove-section", `branch.${ask.branch}`], {
    ...where,
    okCodes: [0, 128],
  });
}
