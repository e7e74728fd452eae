/** One bare repository, read and written with real git. */
import { runGit, type GitCall, type GitOutput } from "./git-process.js";
import {
  LOG_FORMAT,
  parseCommits,
  parseMergeTrees,
  parseRawDiff,
  type ChangedFile,
  type Commit,
} from "./git-parse.js";

export type { ChangedFile, Commit } from "./git-parse.js";

export const ZERO_OID = "0".repeat(40);

export interface Ref {
  /** Full name, `refs/heads/main`. */
  readonly name: string;
  readonly sha: string;
}

export interface CommitTree {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class GitDirectory {
  constructor(readonly path: string) {}

  run(args: readonly string[], call?: GitCall): Promise<GitOutput> {
    return runGit(this.path, args, call);
  }

  /** Commit a revision stands for, or null. */
  async resolve(revision: string): Promise<string | null> {
    const { code, stdout } = await this.run(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
      { ok: [0, 1, 128] },
    );
    return code === 0 ? stdout.trim() : null;
  }

  branch(name: string): Promise<string | null> {
    return this.resolve(`refs/heads/${name}`);
  }

  /** Refs under a prefix that ends at a slash, or all that start with it, sorted by name. */
  async refs(prefix: string): Promise<Ref[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    const { stdout } = await this.run([
      "for-each-ref",
      "--format=%(refname) %(objectname)",
      ...(folder === "" ? [] : [folder]),
    ]);
    return lines(stdout)
      .map((line) => {
        const [name = "", sha = ""] = line.split(" ");
        return { name, sha };
      })
      .filter((ref) => ref.name.startsWith(prefix));
  }

  /** @throws Error when there is no such commit. */
  async commit(sha: string): Promise<Commit> {
    const { stdout } = await this.run(["log", "-1", "-z", `--format=${LOG_FORMAT}`, sha]);
    const [commit] = parseCommits(stdout);
    if (commit === undefined) throw new Error(`no commit ${sha}`);
    return commit;
  }

  /** Commits of `to` that `from` does not have, oldest first. */
  async commitsBetween(from: string | null, to: string, limit = 10_000): Promise<Commit[]> {
    const range = from === null ? [to] : [to, `^${from}`];
    const { stdout } = await this.run([
      "log",
      "-z",
      "--topo-order",
      `--max-count=${limit}`,
      `--format=${LOG_FORMAT}`,
      ...range,
    ]);
    return parseCommits(stdout).reverse();
  }

  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    const { code } = await this.run(["merge-base", "--is-ancestor", ancestor, descendant], {
      ok: [0, 1],
    });
    return code === 0;
  }

  async mergeBase(one: string, other: string): Promise<string | null> {
    const { code, stdout } = await this.run(["merge-base", one, other], { ok: [0, 1] });
    return code === 0 ? stdout.trim() : null;
  }

  /** Commits on each side of `base...head`. */
  async aheadBehind(base: string, head: string): Promise<{ ahead: number; behind: number }> {
    const { stdout } = await this.run(["rev-list", "--left-right", "--count", `${base}...${head}`]);
    const [behind = "0", ahead = "0"] = stdout.trim().split(/\s+/);
    return { ahead: Number(ahead), behind: Number(behind) };
  }

  /** Files changed from `from` to `to`, renames found. */
  async changedFiles(from: string, to: string): Promise<ChangedFile[]> {
    const { stdout } = await this.run(["diff", "--raw", "--numstat", "-M", "-z", from, to]);
    return parseRawDiff(stdout);
  }

  /** As `mergeTrees`, of one pair. */
  async mergeTree(ours: string, theirs: string): Promise<string | null> {
    const [tree] = await this.mergeTrees([{ ours, theirs }]);
    return tree ?? null;
  }

  /** Trees of the merges of pairs of commits, null where they conflict. Real git decides. */
  async mergeTrees(
    pairs: readonly { readonly ours: string; readonly theirs: string }[],
  ): Promise<(string | null)[]> {
    const { stdout } = await this.run(
      ["merge-tree", "--stdin", "--allow-unrelated-histories", "-z", "--no-messages"],
      { input: pairs.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join("") },
    );
    return parseMergeTrees(stdout);
  }

  async treeOf(revision: string): Promise<string> {
    const { stdout } = await this.run(["rev-parse", "--verify", `${revision}^{tree}`]);
    return stdout.trim();
  }

  async commitTree(ask: CommitTree): Promise<string> {
    // The @ keeps git from reading a small number as something else than seconds.
    const date = `@${Math.floor(ask.at / 1000)} +0000`;
    const { stdout } = await this.run(
      ["commit-tree", ask.tree, ...ask.parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
      {
        input: ask.message,
        env: {
          GIT_AUTHOR_NAME: ask.author.name,
          GIT_AUTHOR_EMAIL: ask.author.email,
          GIT_AUTHOR_DATE: date,
          GIT_COMMITTER_NAME: "GitHub",
          GIT_COMMITTER_EMAIL: "noreply@github.com",
          GIT_COMMITTER_DATE: date,
        },
      },
    );
    return stdout.trim();
  }

  /** Compare-and-swap; false when the ref was not at `before`. The zero oid means "not there". */
  async updateRef(ref: string, after: string, before: string): Promise<boolean> {
    const args = after === ZERO_OID ? ["-d", ref, before] : [ref, after, before];
    const { code } = await this.run(["update-ref", ...args], { ok: [0, 1, 128] });
    return code === 0;
  }
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
