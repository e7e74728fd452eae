import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createGit, GitError } from "../../src/git/index.js";
import type { LaneReading } from "../../src/git/port.js";
import { commit, git, lane, published, repository, temporaryFolder } from "./repositories.js";

const adapter = createGit();
const readLane = async (path: string): Promise<LaneReading> => adapter.readLane(path);

/** A lane with the files `a.txt` and `b.txt` committed. */
function cleanLane() {
  const { folder, clone } = published();
  const path = lane(clone, "fix/a");
  const head = commit(path, { "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.log\n" });
  return { folder, clone, path, head };
}

describe("reading a lane", () => {
  it("A1.2 a clean linked worktree: its commit, tree, branch and repository", async () => {
    const { clone, path, head } = cleanLane();
    writeFileSync(join(path, "build.log"), "ignored\n");
    expect(await readLane(path)).toStrictEqual({
      path,
      commonDir: join(clone, ".git"),
      branch: "fix/a",
      head,
      tree: git(path, "rev-parse", "HEAD^{tree}"),
      dirty: [],
      linkedWorktree: true,
      declaration: { read: "absent" },
    });
  });

  it("A2.1 the declaration is that of the commit, never the file beside it", async () => {
    const { path } = cleanLane();
    commit(path, { ".yoke/merge-queue.json": "committed\n" });
    writeFileSync(join(path, ".yoke/merge-queue.json"), "dirty\n");
    expect(await readLane(join(path, ".yoke"))).toMatchObject({
      dirty: [".yoke/merge-queue.json"],
      declaration: { read: "text", text: "committed\n" },
    });
  });

  it("A2.3 a declaration that is a link, a folder or far too long is unreadable", async () => {
    const { path } = cleanLane();
    commit(path, { ".yoke/merge-queue.json": "x".repeat(65_537) });
    expect((await readLane(path)).declaration?.read).toBe("unreadable");
    rmSync(join(path, ".yoke/merge-queue.json"));
    symlinkSync("elsewhere", join(path, ".yoke/merge-queue.json"));
    commit(path, {});
    expect((await readLane(path)).declaration?.read).toBe("unreadable");
    rmSync(join(path, ".yoke/merge-queue.json"));
    commit(path, { ".yoke/merge-queue.json/a": "a" });
    expect((await readLane(path)).declaration?.read).toBe("unreadable");
  });

  it("A1.2 the same is read from a folder inside and through a symbolic link", async () => {
    const { folder, path } = cleanLane();
    mkdirSync(join(path, "deep/er"), { recursive: true });
    symlinkSync(path, join(folder, "link"));
    const read = await readLane(path);
    expect(await readLane(join(path, "deep/er"))).toStrictEqual(read);
    expect(await readLane(join(folder, "link"))).toStrictEqual(read);
  });

  it("A1.2 the main worktree is named as such", async () => {
    const { clone } = cleanLane();
    expect(await readLane(clone)).toMatchObject({ branch: "main", linkedWorktree: false });
  });

  it("A1.2 a detached HEAD has no branch, and a branch called (detached) is one", async () => {
    const { path, head } = cleanLane();
    git(path, "checkout", "--quiet", "--detach");
    expect(await readLane(path)).toMatchObject({ branch: null, head });
    git(path, "checkout", "--quiet", "-b", "(detached)");
    expect(await readLane(path)).toMatchObject({ branch: "(detached)", head });
  });

  it("case C19 a branch whose name is an option is read", async () => {
    const { clone, path, head } = cleanLane();
    git(clone, "update-ref", "refs/heads/--exec=id", head);
    git(path, "symbolic-ref", "HEAD", "refs/heads/--exec=id");
    expect(await readLane(path)).toMatchObject({ branch: "--exec=id", head, dirty: [] });
  });
});

describe("what makes a lane dirty", () => {
  const kinds: Record<string, (path: string) => readonly string[]> = {
    "a changed file": (path) => {
      writeFileSync(join(path, "a.txt"), "changed\n");
      return ["a.txt"];
    },
    "a staged file": (path) => {
      writeFileSync(join(path, "new name.txt"), "new\n");
      git(path, "add", "--all");
      return ["new name.txt"];
    },
    "a staged change that the file itself took back": (path) => {
      writeFileSync(join(path, "a.txt"), "changed\n");
      git(path, "add", "a.txt");
      writeFileSync(join(path, "a.txt"), "a\n");
      return ["a.txt"];
    },
    "an untracked file": (path) => {
      writeFileSync(join(path, "untracked\n.txt"), "x\n");
      return ["untracked\n.txt"];
    },
    "a deleted file": (path) => {
      rmSync(join(path, "b.txt"));
      return ["b.txt"];
    },
    "a renamed file, by both names": (path) => {
      git(path, "mv", "a.txt", "z.txt");
      return ["a.txt", "z.txt"];
    },
    "an executable bit (case C39)": (path) => {
      chmodSync(join(path, "a.txt"), 0o755);
      return ["a.txt"];
    },
    "a conflict": (path) => {
      const base = git(path, "rev-parse", "HEAD");
      git(path, "checkout", "--quiet", "-b", "other");
      commit(path, { "a.txt": "theirs\n" });
      git(path, "checkout", "--quiet", "-B", "fix/a", base);
      commit(path, { "a.txt": "ours\n" });
      expect(() => git(path, "merge", "--quiet", "other")).toThrow(/Command failed/);
      return ["a.txt"];
    },
    "an untracked file where the configuration hides them": (path) => {
      git(path, "config", "status.showUntrackedFiles", "no");
      writeFileSync(join(path, "untracked.txt"), "x\n");
      return ["untracked.txt"];
    },
    "a change behind assume-unchanged": (path) => {
      git(path, "update-index", "--assume-unchanged", "a.txt");
      writeFileSync(join(path, "a.txt"), "changed\n");
      return ["a.txt"];
    },
    "a change behind skip-worktree": (path) => {
      git(path, "update-index", "--skip-worktree", "b.txt");
      writeFileSync(join(path, "b.txt"), "changed\n");
      return ["b.txt"];
    },
    "a deletion behind assume-unchanged": (path) => {
      git(path, "update-index", "--assume-unchanged", "a.txt");
      rmSync(join(path, "a.txt"));
      return ["a.txt"];
    },
  };

  for (const [kind, soil] of Object.entries(kinds)) {
    it(`A1.2 case C27 ${kind} is named`, async () => {
      const { path } = cleanLane();
      const expected = soil(path);
      expect((await readLane(path)).dirty).toStrictEqual(expected);
    });
  }

  it("A1.2 marks that hide nothing, and a sparse checkout, are clean", async () => {
    const { path } = cleanLane();
    commit(path, { "docs/one.txt": "1\n" });
    git(path, "update-index", "--assume-unchanged", "a.txt");
    expect((await readLane(path)).dirty).toStrictEqual([]);
    git(path, "sparse-checkout", "set", "--cone", "nothing");
    expect(git(path, "ls-files", "-t", "docs")).toBe("S docs/one.txt");
    expect((await readLane(path)).dirty).toStrictEqual([]);
  });

  it("A1.2 a file name that is not UTF-8 is named with a replacement (case C29)", async () => {
    const { path } = cleanLane();
    writeFileSync(Buffer.concat([Buffer.from(`${path}/caf`), Buffer.from([0xe9])]), "x\n");
    expect((await readLane(path)).dirty).toStrictEqual(["caf\ufffd"]);
  });

  it("A1.2 names at most twenty", async () => {
    const { path } = cleanLane();
    for (let at = 10; at < 40; at += 1) writeFileSync(join(path, `${at}.txt`), "x\n");
    const { dirty } = await readLane(path);
    expect(dirty).toHaveLength(20);
    expect(dirty[0]).toBe("10.txt");
  });

  it("case C26 line-ending rules that change no blob's meaning are read like git reads them", async () => {
    const { path } = cleanLane();
    commit(path, { "crlf.txt": "one\r\ntwo\r\n" });
    expect((await readLane(path)).dirty).toStrictEqual([]);
    commit(path, { ".gitattributes": "* text=auto\n" });
    writeFileSync(join(path, "crlf.txt"), "one\r\ntwo\r\n");
    const saidByGit = git(path, "status", "--porcelain");
    expect((await readLane(path)).dirty).toStrictEqual(saidByGit === "" ? [] : ["crlf.txt"]);
  });

  it("reading takes no lock and writes nothing to the index", async () => {
    const { clone, path } = cleanLane();
    const gitDir = git(path, "rev-parse", "--absolute-git-dir");
    writeFileSync(join(gitDir, "index.lock"), "");
    expect(await readLane(path)).toMatchObject({ dirty: [], commonDir: join(clone, ".git") });
  });
});

describe("what is no lane", () => {
  it("a plain folder, a bare repository, a missing folder and a branch without commits say so", async () => {
    const { remote } = published();
    const folder = temporaryFolder();
    await expect(readLane(folder)).rejects.toThrow(/not a git repository/);
    await expect(readLane(remote)).rejects.toThrow(/must be run in a work tree/);
    await expect(readLane(join(folder, "gone"))).rejects.toMatchObject({
      kind: "gone",
      message: `there is no folder ${join(folder, "gone")}`,
    });
    const project = repository(folder);
    git(project, "checkout", "--quiet", "--orphan", "empty");
    const error = await readLane(project).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GitError);
    expect(error).toMatchObject({ kind: "unusable" });
  });
});
