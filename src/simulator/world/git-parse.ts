/** Reading what git prints. */

export interface Person {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with the author's own offset. */
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: string[];
  readonly author: Person;
  readonly committer: Person;
  /** Subject and body, without the final newline. */
  readonly message: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Set for a rename or copy. */
  readonly previousPath: string | null;
  /** Word of the REST API. */
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed";
  readonly additions: number;
  readonly deletions: number;
}

/** Fields by 0x1f, for `git log -z`. */
export const LOG_FORMAT = ["%H", "%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join(
  "%x1f",
);

export function parseCommits(text: string): Commit[] {
  return text
    .split("\0")
    .filter((record) => record.trim() !== "")
    .map((record) => {
      const [
        sha = "",
        tree = "",
        parents = "",
        an = "",
        ae = "",
        aI = "",
        cn = "",
        ce = "",
        cI = "",
      ] = record.split("\u001f");
      const message = record.split("\u001f").slice(9).join("\u001f");
      return {
        sha: sha.trim(),
        tree,
        parents: parents === "" ? [] : parents.split(" "),
        author: { name: an, email: ae, date: aI },
        committer: { name: cn, email: ce, date: cI },
        message: message.replace(/\n+$/, ""),
      };
    });
}

const STATUS: Record<string, ChangedFile["status"]> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed",
};

/** `git diff --raw --numstat -z`: raw records first, then the counts in the same order. */
export function parseRawDiff(text: string): ChangedFile[] {
  const parts = text.split("\0");
  const raw: { status: ChangedFile["status"]; path: string; previousPath: string | null }[] = [];
  let at = 0;
  while (parts[at]?.startsWith(":") === true) {
    const letter = (parts[at] ?? "").split(" ")[4]?.[0] ?? "M";
    const twoPaths = letter === "R" || letter === "C";
    const first = parts[at + 1] ?? "";
    raw.push({
      status: STATUS[letter] ?? "modified",
      path: twoPaths ? (parts[at + 2] ?? "") : first,
      previousPath: twoPaths ? first : null,
    });
    at += twoPaths ? 3 : 2;
  }
  const counts = parts.slice(at).filter((part) => /^(\d+|-)\t(\d+|-)\t/.test(part));
  return raw.map((file, index) => {
    const [added = "0", deleted = "0"] = (counts[index] ?? "").split("\t");
    return { ...file, additions: Number(added) || 0, deletions: Number(deleted) || 0 };
  });
}

/** `git merge-tree --stdin -z --no-messages`: of each merge its status, its tree, the conflicts, and nothing. */
export function parseMergeTrees(text: string): (string | null)[] {
  const trees: (string | null)[] = [];
  const parts = text.split("\0");
  for (let at = 0; at + 1 < parts.length; at += 1) {
    trees.push(parts[at] === "1" ? (parts[at + 1] ?? null) : null);
    while (at < parts.length && parts[at] !== "") at += 1;
  }
  return trees;
}
