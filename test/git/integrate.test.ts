import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { integrateBranch } from "../../src/git/integrate.js";

/** An integration lane in a worktree of its own, and a lane to bring into it. */
async function lanes(theirs: { file: string; text: string }) {
  const home = await mkdtemp(join(tmpdir(), "yoke-integrate-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const [main, path] = [join(home, "main"), join(home, "together")];
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
  git(home, "init", "-q", "-b", "main", main);
  git(main, "config", "user.name", "Robin");
  git(main, "config", "user.email", "robin@example.org");
  const commit = async (cwd: string, file: string, text: string) => {
    await writeFile(join(cwd, file), `${text}\n`);
    git(cwd, "add", "-A");
    git(cwd, "commit", "-qm", text);
  };
  await commit(main, "README.md", "hello");
  git(main, "worktree", "add", "-q", "-b", "together", path);
  git(main, "switch", "-qc", "tea");
  await commit(main, theirs.file, theirs.text);
  await commit(path, "milk.txt", "milk");
  const integrate = () => integrateBranch({ item: "YOK-7", path, branch: "tea" });
  return { main, path, git: (...args: string[]) => git(path, ...args), integrate };
}

describe("bringing a lane into an integration lane", () => {
  it("A13.2 merges it with a commit, and changes nothing when it is there already", async () => {
    const { git, integrate } = await lanes({ file: "tea.txt", text: "tea" });
    expect(await integrate()).toEqual({ ok: true });
    const head = git("rev-parse", "HEAD");
    expect(git("rev-list", "--parents", "-1", "HEAD").split(" ")).toHaveLength(3);
    expect(await integrate()).toEqual({ ok: true });
    expect(git("rev-parse", "HEAD")).toBe(head);
  });

  it("A13.2 case C07 a conflict is told in git's words and stays pending; completed, the same command goes on", async () => {
    const { git, path, integrate } = await lanes({ file: "milk.txt", text: "tea" });
    const refused = await integrate();
    expect(refused).toMatchObject({ refusal: { code: "merge_integration_refused" } });
    expect(refused.ok ? "" : refused.refusal.message).toContain("Merge conflict in milk.txt");
    expect(git("rev-parse", "-q", "--verify", "MERGE_HEAD")).not.toBe("");
    const again = await integrate();
    expect(again.ok ? "" : again.refusal.message).toContain("is pending");

    await writeFile(join(path, "milk.txt"), "tea with milk\n");
    git("commit", "-qam", "tea with milk");
    expect(await integrate()).toEqual({ ok: true });
  });

  it("A13.2 what a commit hook refuses is told in its own words, and the merge stays pending", async () => {
    const { git, main, integrate } = await lanes({ file: "tea.txt", text: "tea" });
    const hook = join(main, ".git", "hooks", "pre-merge-commit");
    await writeFile(hook, "#!/bin/sh\necho 'tea.txt is longer than 300 lines' >&2\nexit 1\n");
    await chmod(hook, 0o755);
    const refused = await integrate();
    expect(refused.ok ? "" : refused.refusal.message).toContain("tea.txt is longer than 300 lines");
    expect(git("rev-parse", "-q", "--verify", "MERGE_HEAD")).not.toBe("");
    await rm(hook);
    git("commit", "-q", "--no-edit");
    expect(await integrate()).toEqual({ ok: true });
    expect(existsSync(join(main, ".git", "MERGE_HEAD"))).toBe(false);
  });
});
