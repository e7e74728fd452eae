import { describe, expect, it } from "vitest";

import { createGit } from "../../src/git/index.js";
import type { LandedAs, Proved } from "../../src/git/port.js";
import {
  commit,
  git,
  gitWith,
  lane,
  mergeInto,
  published,
  type Published,
} from "./repositories.js";

function prove({ clone }: Published, candidate: string, landed?: LandedAs): Promise<Proved> {
  return createGit().proveCarried({
    repository: `${clone}/.git`,
    remote: "origin",
    gateBranch: "main",
    candidate,
    landed,
    credential: null,
  });
}

function pushed({ upstream }: Published): void {
  git(upstream, "push", "--quiet", "--force", "origin", "main");
}

/** A commit of `tree` on `main` of the upstream, as a queue would write it. */
function write({ upstream }: Published, tree: string, parents: readonly string[]): string {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  const made = gitWith(upstream, args, { input: "by the queue\n" });
  git(upstream, "reset", "--quiet", "--hard", made);
  return made;
}

const treeOf = (cwd: string, commit: string) => git(cwd, "rev-parse", `${commit}^{tree}`);

/** Two lanes from the same base; their commits are in the upstream. */
function twoLanes(at: Published): readonly [string, string] {
  const one = commit(lane(at.clone, "one"), { "one.txt": "1\n" });
  const two = commit(lane(at.clone, "two"), { "two.txt": "2\n" });
  git(at.upstream, "fetch", "--quiet", at.clone, "+refs/heads/*:refs/lanes/*");
  return [one, two];
}

describe("the tree of a merge", () => {
  it("A16.1 is intact when it is the clean merge, for each member of a train, also after later pushes", async () => {
    const at = published();
    const [one, two] = twoLanes(at);
    const first = mergeInto(at.upstream, one);
    const second = mergeInto(at.upstream, two);
    commit(at.upstream, { "one.txt": "later\n" });
    pushed(at);
    for (const [candidate, landed] of [
      [one, first],
      [two, second],
    ] as const) {
      expect(await prove(at, candidate, { commit: landed, byContent: false })).toMatchObject({
        ok: true,
        proof: { mergeCommit: landed, by: "ancestry", how: "merge", integrity: { is: "intact" } },
      });
    }
  });

  it("A16.1 case A34 is wrong when it undoes the entry ahead, and only then", async () => {
    const at = published();
    const [one, two] = twoLanes(at);
    const base = git(at.upstream, "rev-parse", "HEAD");
    const first = mergeInto(at.upstream, one);
    const wrong = write(at, treeOf(at.upstream, two), [first, two]);
    pushed(at);
    expect(await prove(at, two, { commit: wrong, byContent: false })).toMatchObject({
      ok: true,
      proof: { integrity: { is: "wrong_tree", onto: first, paths: ["one.txt"] } },
    });
    expect(await prove(at, one, { commit: first, byContent: false })).toMatchObject({
      proof: { integrity: { is: "intact" } },
    });
    expect(base).not.toBe(first);
  });

  it("A16.1 a lost executable bit is a wrong tree (case C39)", async () => {
    const at = published();
    const [, two] = twoLanes(at);
    const base = git(at.upstream, "rev-parse", "HEAD");
    mergeInto(at.upstream, two);
    git(at.upstream, "update-index", "--chmod=+x", "two.txt");
    const wrong = write(at, git(at.upstream, "write-tree"), [base, two]);
    pushed(at);
    expect(await prove(at, two, { commit: wrong, byContent: false })).toMatchObject({
      proof: { integrity: { is: "wrong_tree", paths: ["two.txt"] } },
    });
  });

  it("A16.1 case A34 a conflict that a person resolved is not wrong: it cannot be checked", async () => {
    const at = published();
    const candidate = commit(lane(at.clone, "one"), { "README.md": "# tea\n" });
    git(at.upstream, "fetch", "--quiet", at.clone, "one");
    const ahead = commit(at.upstream, { "README.md": "# coffee\n" });
    const resolved = git(at.upstream, "hash-object", "-w", "README.md");
    git(at.upstream, "update-index", "--cacheinfo", `100644,${resolved},README.md`);
    const merge = write(at, git(at.upstream, "write-tree"), [ahead, candidate]);
    pushed(at);
    const answer = await prove(at, candidate, { commit: merge, byContent: false });
    expect(answer).toMatchObject({ ok: true, proof: { integrity: { is: "not_checked" } } });
    expect(JSON.stringify(answer)).toContain("README.md");
  });

  it("A16.1 a candidate that resolved a conflict itself, by merging its base, is intact", async () => {
    const at = published();
    const path = lane(at.clone, "one");
    commit(path, { "README.md": "# tea\n" });
    commit(at.upstream, { "README.md": "# coffee\n" });
    pushed(at);
    git(path, "fetch", "--quiet", "origin");
    git(path, "merge", "--quiet", "-s", "ours", "-m", "resolved", "origin/main");
    const candidate = git(path, "rev-parse", "HEAD");
    git(at.upstream, "fetch", "--quiet", at.clone, "one");
    const merge = mergeInto(at.upstream, candidate);
    pushed(at);
    expect(await prove(at, candidate, { commit: merge, byContent: false })).toMatchObject({
      proof: { integrity: { is: "intact" } },
    });
  });

  it("A16.1 a candidate that the branch was moved to has nothing that could be wrong", async () => {
    const at = published();
    const [one] = twoLanes(at);
    git(at.upstream, "merge", "--quiet", "--ff-only", one);
    pushed(at);
    expect(await prove(at, one, { commit: one, byContent: false })).toMatchObject({
      proof: { how: "fast_forward", integrity: { is: "intact" } },
    });
  });

  it("A16.1 a candidate that another branch brought along is judged by the merge of that branch", async () => {
    const at = published();
    const [one] = twoLanes(at);
    const epic = lane(at.clone, "epic");
    mergeInto(epic, one);
    const head = commit(epic, { "epic.txt": "epic\n" });
    git(at.upstream, "fetch", "--quiet", at.clone, "epic");
    commit(at.upstream, { "other.txt": "other\n" });
    const merge = mergeInto(at.upstream, head);
    pushed(at);
    expect(await prove(at, one, { commit: merge, byContent: false })).toMatchObject({
      proof: { mergeCommit: merge, integrity: { is: "intact" } },
    });
  });

  it("A16.1 without a word of GitHub's, or with a commit the branch does not have, the carrying commit is compared", async () => {
    const at = published();
    const [one, two] = twoLanes(at);
    const wrong = write(at, treeOf(at.upstream, "HEAD"), [
      git(at.upstream, "rev-parse", "HEAD"),
      one,
    ]);
    pushed(at);
    for (const landed of [undefined, { commit: two, byContent: false }]) {
      expect(await prove(at, one, landed)).toMatchObject({
        proof: { mergeCommit: wrong, integrity: { is: "wrong_tree", paths: ["one.txt"] } },
      });
    }
  });

  it("A16.1 what somebody configured for their own merges changes nothing", async () => {
    const at = published();
    const path = lane(at.clone, "one");
    git(path, "mv", "README.md", "READ.md");
    const candidate = commit(path, {});
    git(at.upstream, "fetch", "--quiet", at.clone, "one");
    commit(at.upstream, { "README.md": "# project\n\nmore\n" });
    const merge = mergeInto(at.upstream, candidate);
    pushed(at);
    git(at.clone, "config", "merge.renames", "false");
    expect(await prove(at, candidate, { commit: merge, byContent: false })).toMatchObject({
      proof: { integrity: { is: "intact" } },
    });
  });
});
