import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildBatch, type BatchBuilt, type Member } from "../../../src/git/local-queue/build.js";
import { commit, git, refs, repository, temporaryFolder } from "../repositories.js";

const nothing = () => Promise.resolve(null);

/** A repository with `main`, and branches that each add or change files from its first commits. */
function withBranches(branches: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const path = repository(temporaryFolder());
  const base = commit(path, { "a.txt": "a\n", "b.txt": "b\n" });
  const members = Object.entries(branches).map(([branch, files], at): Member => {
    git(path, "checkout", "--quiet", "--detach", base);
    const head = commit(path, files);
    git(path, "update-ref", `refs/heads/${branch}`, head);
    return { id: `entry-${at + 1}`, branch, head };
  });
  git(path, "checkout", "--quiet", "main");
  const build = (chosen: readonly Member[] = members, onto = base): Promise<BatchBuilt> =>
    buildBatch(
      { base: onto, baseBranch: "main", members: chosen, regenerate: nothing },
      { cwd: path },
    );
  return { path, base, members, build };
}

function built(answer: BatchBuilt): string {
  if (answer.is !== "built") throw new Error(`conflict of ${answer.member.branch}`);
  return answer.commit;
}

describe("the merge of a batch", () => {
  it("C4.1 case C04 merges in queue order, one commit each, and touches no ref and no working tree", async () => {
    const { path, base, members, build } = withBranches({
      one: { "one.txt": "1\n" },
      two: { "two.txt": "2\n" },
    });
    const before = refs(path);
    const tip = built(await build());
    const files = git(path, "ls-tree", "--name-only", tip).split("\n");
    expect(files).toEqual(["README.md", "a.txt", "b.txt", "one.txt", "two.txt"]);
    const subjects = git(path, "log", "--first-parent", "--format=%s", `${base}..${tip}`);
    expect(subjects.split("\n")).toEqual([
      "Merge branch 'two' into main",
      "Merge branch 'one' into main",
    ]);
    for (const { head } of members) git(path, "merge-base", "--is-ancestor", head, tip);
    expect(refs(path)).toBe(before);
    expect(git(path, "status", "--porcelain")).toBe("");
    expect(existsSync(join(path, "one.txt"))).toBe(false);
  });

  it("C5.5 the same members on the same base are the same commit, whoever builds it and when", async () => {
    const { path, build } = withBranches({ one: { "one.txt": "1\n" }, two: { "two.txt": "2\n" } });
    const tip = built(await build());
    git(path, "config", "user.name", "Somebody else");
    expect(built(await build())).toBe(tip);
  });

  it("C4.2 a conflict names the candidate and the paths, and says whether the base itself is against it", async () => {
    const { path, members, build } = withBranches({
      one: { "a.txt": "one\n" },
      two: { "a.txt": "two\n" },
    });
    expect(await build()).toMatchObject({
      is: "conflict",
      member: { branch: "two" },
      paths: ["a.txt"],
      alone: false,
    });
    const moved = commit(path, { "a.txt": "three\n" });
    expect(await build(members, moved)).toMatchObject({
      is: "conflict",
      member: { branch: "one" },
      alone: true,
    });
  });

  it("C4.2 what is made of a conflict in generated files takes its place", async () => {
    const { path, base, members } = withBranches({
      one: { "a.txt": "one\n" },
      two: { "a.txt": "two\n", "two.txt": "2\n" },
    });
    const asked: unknown[] = [];
    const made = git(path, "rev-parse", `${members[1]?.head ?? ""}^{tree}`);
    const answer = await buildBatch(
      {
        base,
        baseBranch: "main",
        members,
        regenerate: ({ conflicts, member }) => {
          asked.push([member.branch, conflicts]);
          return Promise.resolve(made);
        },
      },
      { cwd: path },
    );
    expect(asked).toEqual([["two", ["a.txt"]]]);
    expect(git(path, "show", `${built(answer)}:a.txt`)).toBe("two");
  });

  it("C6 a candidate that another one or the base contains gets no commit of its own", async () => {
    const { path, base, members, build } = withBranches({ one: { "one.txt": "1\n" } });
    const first = members[0] as Member;
    git(path, "checkout", "--quiet", "--detach", first.head);
    const stacked: Member = { id: "s", branch: "stacked", head: commit(path, { "s.txt": "s\n" }) };
    const tip = built(await build([stacked, first, { id: "b", branch: "old", head: base }]));
    expect(git(path, "rev-list", "--count", "--first-parent", `${base}..${tip}`)).toBe("1");
    const inOrder = built(await build([first, stacked]));
    expect(git(path, "rev-list", "--count", "--first-parent", `${base}..${inOrder}`)).toBe("2");
  });

  it("C6 case C19 names that look like options, and a candidate that changes nothing, are plain data", async () => {
    const { path, base, build, members } = withBranches({
      "--upload-pack=touch-x": { "run.sh": "#!/bin/sh\n" },
      "späß/lane": { "c.txt": "c\n" },
    });
    git(path, "checkout", "--quiet", "--detach", base);
    git(path, "commit", "--quiet", "--allow-empty", "-m", "nothing");
    const empty: Member = { id: "e", branch: "empty", head: git(path, "rev-parse", "HEAD") };
    const tip = built(await build([...members, empty]));
    const subjects = git(path, "log", "--first-parent", "--format=%s", `${base}..${tip}`);
    expect(subjects.split("\n")).toEqual([
      "Merge branch 'empty' into main",
      "Merge branch 'späß/lane' into main",
      "Merge branch '--upload-pack=touch-x' into main",
    ]);
    expect(readdirSync(path)).not.toContain("x");
  });
});
