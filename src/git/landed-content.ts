/**
 * A landing that left no ancestry (A16.2): the queue squashed or rebased, so the candidate itself is not on the gate
 * branch. What is there is the commit that GitHub says merged it, and its content.
 */
import { firstCarrier, type Carrier } from "./first-carrier.js";
import { parentsOf } from "./landed-tree.js";
import { commitOf, line, type Where } from "./names.js";
import { runGit } from "./run.js";

/**
 * The landed commit with where the branch stood before the candidate's commits; null when it is no such commit: it is
 * not on the first-parent history of `head`, or has another number of parents than one.
 */
export async function landedByContent(
  head: string,
  ask: { readonly landed: string; readonly candidate: string },
  where: Where,
): Promise<Carrier | null> {
  const { landed, candidate } = ask;
  if ((await firstCarrier(head, landed, where)).commit !== landed) return null;
  const [parent, ...more] = await parentsOf(landed, where);
  if (parent === undefined || more.length > 0) return null;
  const replayed = await replayedCommits(landed, candidate, where);
  if (replayed === 0) return { commit: landed, before: parent, how: "squash" };
  return { commit: landed, before: await commitOf(`${landed}~${replayed}`, where), how: "rebase" };
}

/**
 * How many commits from `landed` down are the candidate's own, replayed: a rebase keeps author and message, and leaves
 * out commits that became empty. None for a squash.
 */
async function replayedCommits(landed: string, candidate: string, where: Where): Promise<number> {
  const own = await saidBy([candidate, `^${landed}`], where);
  const branch = await saidBy(["--first-parent", `--max-count=${own.length}`, landed], where);
  let count = 0;
  for (let next = 0; count < branch.length; count += 1) {
    const found = own.indexOf(branch[count] ?? "", next);
    if (found < 0) break;
    next = found + 1;
  }
  return count;
}

/** Author and message of commits without merges, newest first. */
async function saidBy(revisions: readonly string[], where: Where): Promise<readonly string[]> {
  const format = "--format=%an%x1f%ae%x1f%B";
  const args = ["log", "-z", "--no-merges", "--topo-order", format, ...revisions, "--"];
  const text = line((await runGit(args, where)).stdout);
  return text === ""
    ? []
    : text
        .replace(/\0$/, "")
        .split("\0")
        .map((said) => said.trimEnd());
}
