import { describe, expect, it } from "vitest";

import { createGit } from "../../src/git/index.js";
import { commit, git, lane, published, refs, type Published } from "./repositories.js";

function pushedLane(at: Published): string {
  const path = lane(at.clone, "tea");
  const oid = commit(path, { "tea.txt": "tea\n" });
  git(path, "push", "--quiet", "origin", "tea");
  return oid;
}

const remove = ({ clone }: Published, oid: string, branch = "tea") =>
  createGit().deleteRemoteBranch({
    repository: `${clone}/.git`,
    remote: "origin",
    branch,
    oid,
    credential: null,
  });

describe("deleting a branch of the remote", () => {
  it("A16.6 takes away that branch and nothing else", async () => {
    const at = published();
    const before = refs(at.remote);
    const oid = pushedLane(at);
    git(at.clone, "push", "--quiet", "origin", "tea:other");
    await remove(at, oid);
    expect(refs(at.remote)).toBe(`${before}\nrefs/heads/other ${oid}`);
  });

  it("A16.6 keeps a branch that moved, even if it moved back in history", async () => {
    const at = published();
    const oid = pushedLane(at);
    const moved = commit(`${at.folder}/lane-tea`, { "tea.txt": "more\n" });
    git(`${at.folder}/lane-tea`, "push", "--quiet", "origin", "tea");
    const before = refs(at.remote);
    await expect(remove(at, oid)).rejects.toThrow(/stale info|rejected/);
    expect(refs(at.remote)).toBe(before);
    await remove(at, moved);
    expect(refs(at.remote)).not.toContain("refs/heads/tea");
  });

  it("A16.6 a repeat finds nothing to delete, and says so", async () => {
    const at = published();
    const oid = pushedLane(at);
    await remove(at, oid);
    const before = refs(at.remote);
    await expect(remove(at, oid)).rejects.toThrow(/remote ref does not exist|stale info|rejected/);
    expect(refs(at.remote)).toBe(before);
  });

  it("A16.6 case A30 names every URL a push would go to", async () => {
    const at = published();
    const urls = () => createGit().pushUrls({ repository: at.clone, remote: "origin" });
    expect(await urls()).toEqual([at.remote]);
    git(at.clone, "remote", "set-url", "--push", "origin", "git@github.com:robin/shop.git");
    expect(await urls()).toEqual(["git@github.com:robin/shop.git"]);
    git(at.clone, "remote", "set-url", "--push", "--add", "origin", at.remote);
    expect(await urls()).toEqual(["git@github.com:robin/shop.git", at.remote]);
  });

  it("case C19 a branch that looks like an option is only a name", async () => {
    const at = published();
    const oid = pushedLane(at);
    git(at.clone, "push", "--quiet", "origin", `${oid}:refs/heads/--mirror`);
    await remove(at, oid, "--mirror");
    expect(refs(at.remote)).toContain("refs/heads/main");
    expect(refs(at.remote)).not.toContain("--mirror");
  });
});
