import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createGit } from "../../src/git/index.js";
import type { LaneRemoval } from "../../src/git/port.js";
import {
  commit,
  git,
  lane,
  mergeInto,
  published,
  refs,
  repository,
  temporaryFolder,
} from "./repositories.js";

const adapter = createGit();

/** A lane that was pushed and landed: `carriedBy` is the fetched head of the gate branch. */
function landed(branch = "fix/a") {
  const world = published();
  const worktree = lane(world.clone, branch);
  const candidate = commit(worktree, { "a.txt": "a\n", ".gitignore": "*.log\n" });
  git(worktree, "push", "--quiet", "--set-upstream", "origin", branch);
  git(world.upstream, "fetch", "--quiet", "origin");
  const carriedBy = mergeInto(world.upstream, candidate);
  git(world.upstream, "push", "--quiet", "origin", "main");
  git(world.clone, "fetch", "--quiet");
  const ask = { repository: join(world.clone, ".git"), worktree, branch, candidate, carriedBy };
  return { ...world, ask, worktree, candidate, carriedBy };
}

/** Asks, requires that nothing at all changed, and answers why. */
async function keptBecause(
  ask: Parameters<typeof adapter.removeLane>[0],
): Promise<Extract<LaneRemoval, { removed: false }>> {
  const before = [refs(ask.repository), git(ask.repository, "worktree", "list", "--porcelain")];
  const answer = await adapter.removeLane(ask);
  if (answer.removed) throw new Error("the lane was removed");
  expect([refs(ask.repository), git(ask.repository, "worktree", "list", "--porcelain")]).toEqual(
    before,
  );
  expect(answer.next).toMatch(/\w/);
  return answer;
}

describe("a landed lane", () => {
  it("A11.4 loses its worktree and branch; the remote keeps everything (cases A29, A30)", async () => {
    const { ask, remote, clone, worktree, candidate } = landed();
    writeFileSync(join(worktree, "build.log"), "ignored\n");
    const remoteRefs = refs(remote);
    const others = refs(clone).replace(`refs/heads/fix/a ${candidate}\n`, "");
    expect(git(clone, "config", "branch.fix/a.merge")).toBe("refs/heads/fix/a");

    expect(await adapter.removeLane(ask)).toStrictEqual({
      removed: true,
      branch: "fix/a",
      worktree,
    });
    expect(existsSync(worktree)).toBe(false);
    expect(refs(clone)).toBe(others);
    expect(refs(remote)).toBe(remoteRefs);
    expect(git(clone, "worktree", "list")).not.toContain(worktree);
    expect(() => git(clone, "config", "branch.fix/a.merge")).toThrow(/Command failed/);
  });

  it("A11.4 asked again after the removal says that it is removed", async () => {
    const { ask } = landed();
    expect(await adapter.removeLane(ask)).toMatchObject({ removed: true });
    expect(await adapter.removeLane(ask)).toStrictEqual({
      removed: true,
      branch: "fix/a",
      worktree: null,
    });
  });

  it("A11.4 a crash between the two steps is finished by the next call", async () => {
    const { ask, clone, worktree } = landed();
    git(clone, "worktree", "remove", worktree);
    expect(await adapter.removeLane(ask)).toMatchObject({ removed: true, worktree: null });
    expect(refs(clone)).not.toContain("refs/heads/fix/a");
  });

  it("A11.4 goes also when its branch is behind the candidate or was fast-forwarded to the gate", async () => {
    const behind = landed();
    git(behind.worktree, "reset", "--quiet", "--hard", "HEAD^");
    expect(await adapter.removeLane(behind.ask)).toMatchObject({ removed: true });
    const ahead = landed();
    git(ahead.worktree, "merge", "--quiet", "--ff-only", "origin/main");
    expect(await adapter.removeLane(ahead.ask)).toMatchObject({ removed: true });
  });

  it("A11.4 without a remote: the local gate branch holds the candidate", async () => {
    const project = repository(temporaryFolder());
    const worktree = lane(project, "a");
    const candidate = commit(worktree, { "a.txt": "a\n" });
    git(project, "merge", "--quiet", "--ff-only", "a");
    const ask = { repository: project, worktree, branch: "a", candidate, carriedBy: candidate };
    expect(await adapter.removeLane(ask)).toMatchObject({ removed: true });
    expect(refs(project)).toBe(`refs/heads/main ${candidate}`);
  });

  it("case C19 a branch whose name is an option is only a name", async () => {
    const { ask, clone, worktree, candidate } = landed();
    git(clone, "update-ref", "refs/heads/--force", candidate);
    git(worktree, "symbolic-ref", "HEAD", "refs/heads/--force");
    expect(await adapter.removeLane({ ...ask, branch: "--force" })).toMatchObject({
      removed: true,
    });
    expect(refs(clone)).not.toContain("refs/heads/--force");
    expect(refs(clone)).toContain("refs/heads/fix/a");
  });

  it("a symbolic branch goes, and what it points at stays", async () => {
    const { ask, clone, worktree } = landed();
    git(clone, "checkout", "--quiet", "--detach");
    git(clone, "worktree", "remove", worktree);
    git(clone, "update-ref", "--no-deref", "-d", "refs/heads/fix/a");
    git(clone, "symbolic-ref", "refs/heads/fix/a", "refs/heads/main");
    await adapter.removeLane(ask);
    expect(refs(clone)).toContain("refs/heads/main");
  });
});

describe("a lane with work in it", () => {
  const soil: Record<string, (path: string) => void> = {
    "a changed file": (path) => writeFileSync(join(path, "a.txt"), "changed\n"),
    "a staged file": (path) => {
      writeFileSync(join(path, "b.txt"), "b\n");
      git(path, "add", "b.txt");
    },
    "an untracked file": (path) => writeFileSync(join(path, "b.txt"), "b\n"),
    "an untracked file the configuration hides": (path) => {
      git(path, "config", "status.showUntrackedFiles", "no");
      writeFileSync(join(path, "b.txt"), "b\n");
    },
    "a change behind assume-unchanged": (path) => {
      git(path, "update-index", "--assume-unchanged", "a.txt");
      writeFileSync(join(path, "a.txt"), "changed\n");
    },
  };
  for (const [kind, make] of Object.entries(soil)) {
    it(`A11.4 case C08 ${kind} keeps it`, async () => {
      const { ask, worktree } = landed();
      make(worktree);
      const { why } = await keptBecause(ask);
      expect(why).toMatch(/uncommitted work: [ab]\.txt/);
      expect(existsSync(worktree)).toBe(true);
    });
  }

  it("A11.4 a commit made after the candidate keeps it, and is named", async () => {
    const { ask, worktree } = landed();
    const extra = commit(worktree, { "extra.txt": "extra\n" });
    expect((await keptBecause(ask)).why).toContain(extra);
  });

  it("A11.4 a branch that was never merged keeps it", async () => {
    const { ask, clone } = landed();
    const worktree = lane(clone, "other", "main~0");
    const tip = commit(worktree, { "other.txt": "other\n" });
    const { why } = await keptBecause({ ...ask, worktree, branch: "other" });
    expect(why).toContain(tip);
  });

  it("A11.4 the only ref that holds the landed commit is kept", async () => {
    const { ask, clone } = landed();
    git(clone, "checkout", "--quiet", "--detach");
    git(clone, "branch", "--quiet", "-f", "fix/a-gate", ask.carriedBy);
    for (const ref of ["refs/remotes/origin/HEAD", "refs/remotes/origin/main"]) {
      git(clone, "update-ref", "--no-deref", "-d", ref);
    }
    const worktree = join(clone, "../gate");
    git(clone, "worktree", "add", "--quiet", worktree, "fix/a-gate");
    const { why } = await keptBecause({ ...ask, worktree, branch: "fix/a-gate" });
    expect(why).toContain("only ref");
  });

  it("A11.4 a carrying commit the repository does not have keeps it", async () => {
    const { ask } = landed();
    const { why } = await keptBecause({ ...ask, carriedBy: "1".repeat(40) });
    expect(why).toContain("is not in the repository");
  });
});

describe("a worktree that is not the lane's to remove", () => {
  it("A11.4 the main worktree is kept", async () => {
    const { ask, clone } = landed();
    const { why } = await keptBecause({ ...ask, worktree: clone, branch: "main" });
    expect(why).toContain("main worktree");
  });

  it("A11.4 a branch that is checked out elsewhere as well is kept", async () => {
    const { ask, folder, clone } = landed();
    const twin = join(folder, "twin");
    git(clone, "worktree", "add", "--quiet", "--force", twin, "fix/a");
    expect((await keptBecause(ask)).why).toContain(twin);
    git(clone, "worktree", "remove", ask.worktree);
    expect((await keptBecause(ask)).why).toContain(twin);
    git(clone, "worktree", "remove", twin);
    expect(await adapter.removeLane(ask)).toMatchObject({ removed: true });
  });

  it("A11.4 a lane that was switched to another branch, or is detached, is kept", async () => {
    const { ask, worktree } = landed();
    git(worktree, "checkout", "--quiet", "-b", "next");
    expect((await keptBecause(ask)).why).toContain("refs/heads/next");
    git(worktree, "checkout", "--quiet", "--detach");
    expect((await keptBecause(ask)).why).toContain("detached HEAD");
  });

  it("A11.4 a branch that an unfinished bisect will come back to is kept", async () => {
    const { ask, clone, worktree } = landed();
    git(worktree, "bisect", "start", "HEAD", "HEAD~1");
    git(worktree, "checkout", "--quiet", "fix/a");
    const { why } = await keptBecause({ ...ask, repository: clone });
    expect(why).toContain("unfinished bisect");
  });

  it("A11.4 a locked worktree, one with another inside, and one whose folder is gone are kept", async () => {
    const locked = landed();
    git(locked.clone, "worktree", "lock", "--reason", "on a stick", locked.worktree);
    expect((await keptBecause(locked.ask)).why).toContain("locked: on a stick");

    const outer = landed();
    const inner = join(outer.worktree, "inner.log");
    git(outer.clone, "worktree", "add", "--quiet", "--detach", inner, "main");
    expect((await keptBecause(outer.ask)).why).toContain(inner);
    git(outer.clone, "worktree", "remove", inner);
    expect(await adapter.removeLane(outer.ask)).toMatchObject({ removed: true });

    const gone = landed();
    rmSync(gone.worktree, { recursive: true });
    expect((await keptBecause(gone.ask)).next).toContain("git worktree prune");
    git(gone.clone, "worktree", "prune");
    expect(await adapter.removeLane(gone.ask)).toMatchObject({ removed: true });
  });

  it("A11.4 a folder that belongs to something else is kept", async () => {
    const { ask, folder } = landed();
    const stranger = join(folder, "stranger");
    mkdirSync(stranger);
    const { why } = await keptBecause({ ...ask, worktree: stranger });
    expect(why).toContain("is not a worktree");
    expect(existsSync(stranger)).toBe(true);
  });

  it("A11.4 what git itself refuses (a submodule in the lane) is said in git's words", async () => {
    const world = landed();
    const inner = repository(world.folder, "inner");
    const worktree = lane(world.clone, "with-submodule", "origin/main");
    const allow = ["-c", "protocol.file.allow=always"];
    git(worktree, ...allow, "submodule", "--quiet", "add", inner, "inner");
    const candidate = commit(worktree, {});
    git(world.clone, "merge", "--quiet", "--ff-only", "with-submodule");
    const ask = { ...world.ask, worktree, branch: "with-submodule" };
    const { why } = await keptBecause({ ...ask, candidate, carriedBy: candidate });
    expect(why).toContain("submodules cannot be");
  });
});
