import { describe, expect, it } from "vitest";

import { createGit } from "../../src/git/index.js";
import type { Proved } from "../../src/git/port.js";
import { commit, git, gitWith, lane, published, type Published } from "./repositories.js";

function prove(
  at: Published,
  candidate: string,
  landed: string,
  byContent = true,
): Promise<Proved> {
  return createGit().proveCarried({
    repository: `${at.clone}/.git`,
    remote: "origin",
    gateBranch: "main",
    candidate,
    landed: { commit: landed, byContent },
    credential: null,
  });
}

function pushed({ upstream }: Published): void {
  git(upstream, "push", "--quiet", "--force", "origin", "main");
}

/** A lane with two commits, known to the upstream. */
function candidateOf(at: Published, name: string): { first: string; candidate: string } {
  const path = lane(at.clone, name);
  const first = commit(path, { [`${name}.txt`]: "one\n" });
  const candidate = commit(path, { [`${name}.txt`]: "one\ntwo\n" });
  git(at.upstream, "fetch", "--quiet", at.clone, `+refs/heads/${name}:refs/lanes/${name}`);
  return { first, candidate };
}

function squash({ upstream }: Published, candidate: string, title: string): string {
  git(upstream, "merge", "--quiet", "--squash", candidate);
  git(upstream, "commit", "--quiet", "-m", title);
  return git(upstream, "rev-parse", "HEAD");
}

/** As a queue that rebases: the candidate's commits, replayed on main. */
function replay({ upstream }: Published, candidate: string): string {
  git(upstream, "cherry-pick", `main..${candidate}`);
  return git(upstream, "rev-parse", "HEAD");
}

describe("a landing that is proved by its content", () => {
  it("A16.2 case A33 a squash of two commits is proved, also below later commits to the same file", async () => {
    const at = published();
    const { first, candidate } = candidateOf(at, "tea");
    commit(at.upstream, { "other.txt": "other\n" });
    const landed = squash(at, candidate, "Sell tea (#1)");
    const gateHead = commit(at.upstream, { "tea.txt": "one\ntwo\nthree\n" });
    pushed(at);
    expect(await prove(at, candidate, landed)).toStrictEqual({
      ok: true,
      proof: {
        mergeCommit: landed,
        mergeTree: git(at.upstream, "rev-parse", `${landed}^{tree}`),
        contributedCommits: [first, candidate],
        changedFiles: ["tea.txt"],
        gateHead,
        how: "squash",
        by: "content",
        integrity: { is: "intact" },
      },
    });
  });

  it("A16.2 is refused without the opt-in: by ancestry nothing is on the branch", async () => {
    const at = published();
    const { candidate } = candidateOf(at, "tea");
    const landed = squash(at, candidate, "Sell tea (#1)");
    pushed(at);
    expect(await prove(at, candidate, landed, false)).toMatchObject({
      ok: false,
      refusal: { code: "closeout_candidate_missing" },
    });
  });

  it("A16.2 a rebase of two commits is proved as one change, behind another rebased entry", async () => {
    const at = published();
    const one = candidateOf(at, "tea");
    const two = candidateOf(at, "coffee");
    commit(at.upstream, { "before.txt": "before\n" });
    const first = replay(at, one.candidate);
    commit(at.upstream, { "other.txt": "other\n" });
    const second = replay(at, two.candidate);
    pushed(at);
    expect(await prove(at, one.candidate, first)).toMatchObject({
      ok: true,
      proof: { mergeCommit: first, how: "rebase", by: "content", changedFiles: ["tea.txt"] },
    });
    expect(await prove(at, two.candidate, second)).toMatchObject({
      ok: true,
      proof: { mergeCommit: second, how: "rebase", changedFiles: ["coffee.txt"] },
    });
  });

  it("A16.1 A16.2 case A34 a squash whose tree drops the entry ahead is a wrong tree", async () => {
    const at = published();
    const one = candidateOf(at, "tea");
    const two = candidateOf(at, "coffee");
    const first = squash(at, one.candidate, "Sell tea (#1)");
    const tree = git(at.upstream, "rev-parse", `${two.candidate}^{tree}`);
    const wrong = gitWith(at.upstream, ["commit-tree", tree, "-p", first], {
      input: "Sell coffee (#2)\n",
    });
    git(at.upstream, "reset", "--quiet", "--hard", wrong);
    pushed(at);
    expect(await prove(at, two.candidate, wrong)).toMatchObject({
      ok: true,
      proof: { integrity: { is: "wrong_tree", onto: first, paths: ["tea.txt"] } },
    });
  });

  it("A16.1 A16.2 a wrong tree in the middle of a rebase is found", async () => {
    const at = published();
    const { first, candidate } = candidateOf(at, "tea");
    const onto = commit(at.upstream, { "other.txt": "other\n" });
    git(at.upstream, "cherry-pick", first);
    git(at.upstream, "rm", "--quiet", "other.txt");
    git(at.upstream, "commit", "--quiet", "--amend", "--no-edit");
    git(at.upstream, "cherry-pick", candidate);
    const landed = git(at.upstream, "rev-parse", "HEAD");
    pushed(at);
    expect(await prove(at, candidate, landed)).toMatchObject({
      ok: true,
      proof: { integrity: { is: "wrong_tree", onto, paths: ["other.txt"] } },
    });
  });

  it("A16.2 fails closed: a commit that is not on the branch, or a conflict, proves nothing", async () => {
    const at = published();
    const { candidate } = candidateOf(at, "tea");
    const elsewhere = squash(at, candidate, "Sell tea (#1)");
    git(at.upstream, "reset", "--quiet", "--hard", "HEAD~1");
    const other = commit(at.upstream, { "tea.txt": "coffee\n" });
    const resolved = commit(at.upstream, { "tea.txt": "one\ntwo\ncoffee\n", "x.txt": "x\n" });
    pushed(at);
    expect(await prove(at, candidate, elsewhere)).toMatchObject({
      ok: false,
      refusal: { code: "closeout_candidate_missing" },
    });
    expect(await prove(at, candidate, resolved)).toMatchObject({
      ok: false,
      refusal: { code: "closeout_content_unproved" },
    });
    expect(other).not.toBe(resolved);
  });
});
