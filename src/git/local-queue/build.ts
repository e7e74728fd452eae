/** Merges of a batch, one commit for each candidate, in queue order; no working tree is touched (C4.1). */
import { GitError } from "../error.js";
import { mergeTrees } from "../merge-trees.js";
import { contains, isObjectId, line, records, type Where } from "../names.js";
import { runGit } from "../run.js";

export interface Member {
  readonly id: string;
  readonly branch: string;
  readonly head: string;
}

export type BatchBuilt =
  | { readonly is: "built"; readonly commit: string }
  | {
      readonly is: "conflict";
      readonly member: Member;
      readonly paths: readonly string[];
      /** The member does not merge with the base itself. */
      readonly alone: boolean;
    };

/** What stands for a conflict that only touches generated files: the tree with them made anew, or null (C4.2). */
export type Regenerate = (ask: {
  readonly tree: string;
  readonly conflicts: readonly string[];
  readonly onto: string;
  readonly member: Member;
}) => Promise<string | null>;

/**
 * Merges the members onto `base`, one after the other. A member that is in the merge already (another one contains it)
 * gets no commit of its own. The same members on the same base are the same commit, whoever builds it and when.
 * @throws GitError
 */
export async function buildBatch(
  ask: {
    readonly base: string;
    readonly baseBranch: string;
    readonly members: readonly Member[];
    readonly regenerate: Regenerate;
  },
  where: Where,
): Promise<BatchBuilt> {
  const { base, members } = ask;
  const commits = await describe([base, ...members.map(({ head }) => head)], where);
  const contained = await containedHeads([base, ...members.map(({ head }) => head)], where);
  let tip = base;
  let date = commits.get(base)?.date ?? 0;
  for (const member of members) {
    if (contained.has(member.head) && (await contains(tip, member.head, where))) continue;
    const merged = await mergeTrees(tip, member.head, where);
    const tree = merged.clean
      ? merged.tree
      : await ask.regenerate({ tree: merged.tree, conflicts: merged.conflicts, onto: tip, member });
    if (tree === null) {
      const paths = merged.clean ? [] : merged.conflicts;
      const alone = tip === base || !(await mergeTrees(base, member.head, where)).clean;
      return { is: "conflict", member, paths, alone };
    }
    date = Math.max(date, commits.get(member.head)?.date ?? 0);
    tip = await commitMerge({ tree, onto: tip, member, baseBranch: ask.baseBranch, date }, where);
  }
  return { is: "built", commit: tip };
}

/** Signed by nobody: it is made again after a crash, and must be the same then. */
async function commitMerge(
  ask: {
    readonly tree: string;
    readonly onto: string;
    readonly member: Member;
    readonly baseBranch: string;
    readonly date: number;
  },
  where: Where,
): Promise<string> {
  const { tree, onto, member } = ask;
  const message = `Merge branch '${member.branch}' into ${ask.baseBranch}\n\nMerge-queue-entry: ${member.id}\n`;
  const at = `${ask.date} +0000`;
  const { stdout } = await runGit(["commit-tree", tree, "-p", onto, "-p", member.head], {
    ...where,
    input: Buffer.from(message),
    env: {
      GIT_AUTHOR_NAME: "yoke merge queue",
      GIT_AUTHOR_EMAIL: "merge-queue@yoke.invalid",
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_NAME: "yoke merge queue",
      GIT_COMMITTER_EMAIL: "merge-queue@yoke.invalid",
      GIT_COMMITTER_DATE: at,
    },
    config: ["commit.gpgSign=false", "i18n.commitEncoding=UTF-8"],
  });
  return line(stdout);
}

/** Seconds since 1970 of each commit. */
async function describe(
  commits: readonly string[],
  where: Where,
): Promise<ReadonlyMap<string, { readonly date: number }>> {
  const format = ["log", "--no-walk=unsorted", "-z", "--format=%H %ct", "--end-of-options"];
  const { stdout } = await runGit([...format, ...new Set(commits)], where);
  const found = new Map<string, { date: number }>();
  for (const record of records(stdout)) {
    const [commit = "", date = ""] = record.split(" ");
    if (!isObjectId(commit)) throw new GitError("unusable", "git log named no commit");
    found.set(commit, { date: Number(date) });
  }
  return found;
}

/** Those that another one of them contains: one process, instead of a question for each pair. */
async function containedHeads(
  commits: readonly string[],
  where: Where,
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(commits)];
  const { stdout } = await runGit(["merge-base", "--independent", ...distinct], where);
  const independent = new Set(stdout.toString("utf8").trim().split("\n"));
  const contained = new Set(distinct.filter((commit) => !independent.has(commit)));
  // The same head twice: the second one is in the merge by then.
  for (const [at, commit] of commits.entries())
    if (commits.indexOf(commit) < at) contained.add(commit);
  return contained;
}
