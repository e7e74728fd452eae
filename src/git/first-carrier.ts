/** Finding the commit of a branch that first carried another commit (A11.2). */
import type { LandingShape } from "../core/landing/integrity.js";
import { commitOf, contains, line, type Where } from "./names.js";
import { runGit } from "./run.js";

export interface Carrier {
  readonly commit: string;
  /** Its first parent: where the branch stood before. Null for a root commit. */
  readonly before: string | null;
  /** `fast_forward`: the candidate itself is on the branch's first-parent line, the branch was moved to it. */
  readonly how: LandingShape;
}

/**
 * The first commit of `head`'s first-parent history that contains `candidate`. `head` must
 * contain it.
 *
 * Along first parents, newest first, commits contain the candidate down to one point and not
 * beyond it, so the point is found by halving: a handful of questions for a branch of any length.
 * Commits the candidate itself contains cannot be the answer and are left out of the walk.
 *
 * @throws GitError when history cannot be read.
 */
export async function firstCarrier(
  head: string,
  candidate: string,
  where: Where,
): Promise<Carrier> {
  const newer = await firstParentsSince(head, candidate, where);
  // How many of `newer`, counted from the newest, contain the candidate.
  let [holding, limit] = [0, newer.length];
  while (holding < limit) {
    const middle = Math.ceil((holding + limit) / 2);
    if (await contains(newer[middle - 1] ?? head, candidate, where)) holding = middle;
    else limit = middle - 1;
  }
  const oldest = newer[holding - 1] ?? head;
  if (oldest === candidate) return fastForward(candidate, where);
  const before = await firstParent(oldest, where);
  if (before === candidate) return fastForward(candidate, where);
  return { commit: oldest, before, how: "merge" };
}

async function fastForward(candidate: string, where: Where): Promise<Carrier> {
  return { commit: candidate, before: await firstParent(candidate, where), how: "fast_forward" };
}

/** First-parent history of `head`, newest first, without what `candidate` contains. */
async function firstParentsSince(
  head: string,
  candidate: string,
  where: Where,
): Promise<readonly string[]> {
  const args = ["rev-list", "--first-parent", "--end-of-options", head, `^${candidate}`];
  const text = line((await runGit(args, where)).stdout);
  return text === "" ? [] : text.split("\n");
}

async function firstParent(commit: string, where: Where): Promise<string | null> {
  return commitOf(`${commit}^1`, where);
}
