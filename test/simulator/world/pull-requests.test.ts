import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach, describe, expect, it } from "vitest";

import {
  aWorld,
  enqueued,
  entryOf,
  finish,
  groupOf,
  openPullRequest,
  type AWorld,
} from "./a-world.js";

const exec = promisify(execFile);
const clones: string[] = [];

afterEach(async () => {
  for (const clone of clones.splice(0)) await rm(clone, { recursive: true, force: true });
});

/** A clone with one new commit on `branch`. */
async function cloneWithCommit(at: AWorld, branch: string): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), "simulated-clone-"));
  clones.push(clone);
  const git = (...args: string[]) => exec("git", ["-C", clone, ...args]);
  await exec("git", ["clone", "-q", "-b", branch, at.repository.gitDir, clone]);
  const identity = ["-c", "user.name=R", "-c", "user.email=r@example.org"];
  await git(...identity, "commit", "-q", "--allow-empty", "-m", "late");
  return clone;
}

const push = (clone: string, ...args: string[]) =>
  exec("git", ["-C", clone, "push", "-q", ...args]);

describe("mergeability", () => {
  const read = (at: AWorld, number: number, computeMergeable = true) =>
    at.world.mergeability(at.repository, number, { computeMergeable });

  it("S4 UNKNOWN for the first reads after head or base moved, then what git says (case A12)", async () => {
    const at = await aWorld({ options: { unknownReads: 2 } });
    const { number } = await openPullRequest(at, "one", { "README.md": "mine\n" });
    const seen = async () => (await read(at, number)).mergeable;
    // Reading the merge state alone starts nothing (quirk 1).
    expect((await read(at, number, false)).mergeStateStatus).toBe("UNKNOWN");
    expect([await seen(), await seen(), await seen()]).toEqual(["UNKNOWN", "UNKNOWN", "MERGEABLE"]);

    await at.world.commitFiles(at.repository, {
      branch: "main",
      files: { "README.md": "theirs\n" },
      message: "Conflict",
    });
    expect([await seen(), await seen(), await seen()]).toEqual([
      "UNKNOWN",
      "UNKNOWN",
      "CONFLICTING",
    ]);
    expect(await read(at, number)).toMatchObject({
      mergeStateStatus: "DIRTY",
      potentialMergeCommit: null,
    });
  });

  it("S4 UNKNOWN for a time of the simulator's clock", async () => {
    const at = await aWorld({ options: { unknownMs: 3000 } });
    const { number } = await openPullRequest(at, "one");
    expect((await read(at, number)).mergeable).toBe("UNKNOWN");
    await at.world.advance(2999);
    expect((await read(at, number)).mergeable).toBe("UNKNOWN");
    await at.world.advance(1);
    expect((await read(at, number)).mergeable).toBe("MERGEABLE");
  });

  it("S4 says BLOCKED, DRAFT, CLEAN, UNSTABLE and BEHIND", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    const state = async () => (await read(at, pullRequest.number)).mergeStateStatus;
    expect(await state()).toBe("BLOCKED");
    await at.world.setDraft(at.repository, pullRequest.number, true, at.user);
    expect(await state()).toBe("DRAFT");
    await at.world.setDraft(at.repository, pullRequest.number, false, at.user);
    await finish(at, pullRequest.headSha);
    expect(await state()).toBe("CLEAN");
    const optional = { name: "lint", headSha: pullRequest.headSha, appId: 9 };
    await at.world.createCheckRun(at.repository, { ...optional, status: "in_progress" });
    expect(await state()).toBe("UNSTABLE");
    await at.world.setRuleset(at.repository, {
      name: "main",
      requiredStatusChecks: { checks: [], strict: true },
    });
    await at.world.commitFiles(at.repository, {
      branch: "main",
      files: { "x.txt": "x\n" },
      message: "Move",
    });
    expect(await state()).toBe("BEHIND");
    const merge = await read(at, pullRequest.number);
    const test = await at.world.git(at.repository).commit(merge.potentialMergeCommit ?? "");
    expect(test.parents).toEqual([pullRequest.baseSha, pullRequest.headSha]);
  });

  it("S4 a queued pull request keeps reading CLEAN (quirk 3)", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    expect(await read(at, pullRequest.number)).toMatchObject({
      mergeable: "MERGEABLE",
      mergeStateStatus: "CLEAN",
    });
  });
});

describe("pushing", () => {
  it("S4 the head of a queued pull request refuses a push with GH006 and takes it once dequeued", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    const clone = await cloneWithCommit(at, "one");
    await expect(push(clone, "origin", "one")).rejects.toMatchObject({
      stderr: expect.stringMatching(/GH006.*queued for merging cannot be updated/s) as string,
    });
    await at.world.dequeue(at.repository, pullRequest.number, at.user);
    await push(clone, "origin", "one");
    const after = await at.world.git(at.repository).branch("one");
    await at.world.afterPush(
      at.repository,
      [{ ref: "refs/heads/one", before: pullRequest.headSha, after: after ?? "" }],
      at.user,
    );
    expect(pullRequest.headSha).toBe(after);
  });

  it("case A43 a queued head may be deleted by a push", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    const clone = await cloneWithCommit(at, "one");
    await push(clone, "origin", "--delete", "one");
    await at.world.afterPush(
      at.repository,
      [{ ref: "refs/heads/one", before: pullRequest.headSha, after: "0".repeat(40) }],
      at.user,
    );
    expect(pullRequest.state).toBe("CLOSED");
    expect(entryOf(at, pullRequest)).toBeNull();
  });

  it("S4 by option a push goes through and the merge leaves it out (quirk 19), or removes the entry (case A45)", async () => {
    const keeps = await aWorld({ options: { pushToQueuedHead: "keeps_entry" } });
    const kept = await enqueued(keeps, "one");
    const queued = kept.headSha;
    await keeps.world.commitFiles(keeps.repository, {
      branch: "one",
      files: { "late.txt": "late\n" },
      message: "Late",
    });
    expect(entryOf(keeps, kept)?.headSha).toBe(queued);
    await finish(keeps, groupOf(keeps, kept));
    expect(kept.state).toBe("MERGED");
    expect(await keeps.world.git(keeps.repository).isAncestor(kept.headSha, "main")).toBe(false);

    const removes = await aWorld({ options: { pushToQueuedHead: "removes_entry" } });
    const removed = await enqueued(removes, "one");
    await removes.world.commitFiles(removes.repository, {
      branch: "one",
      files: { "late.txt": "late\n" },
      message: "Late",
    });
    expect(entryOf(removes, removed)).toBeNull();
  });

  it("S4 a branch with a queue refuses pushes with GH013 by option", async () => {
    const at = await aWorld({ options: { pushToQueuedBase: "refused" } });
    const clone = await cloneWithCommit(at, "main");
    await expect(push(clone, "origin", "main")).rejects.toMatchObject({
      stderr: expect.stringMatching(/GH013.*merge queue/s) as string,
    });
    await at.world.updateRepository(at.repository, { options: { pushToQueuedBase: "allowed" } });
    await push(clone, "origin", "main");
  });

  it("S4 a force-push is on the timeline, and starts checks for the new head", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    const before = pullRequest.headSha;
    const other = await at.world.createBranch(at.repository, { name: "other" });
    const after = await at.world.commitFiles(at.repository, {
      branch: "other",
      files: { "z.txt": "z\n" },
      message: "Z",
    });
    const ask = { name: "one", sha: after, actor: at.user };
    await expect(at.world.updateBranch(at.repository, ask)).rejects.toThrow(/not a fast forward/);
    await at.world.updateBranch(at.repository, { ...ask, force: true });
    expect(other).not.toBe(after);
    expect(pullRequest.timeline.at(-1)).toMatchObject({
      type: "HeadRefForcePushedEvent",
      before,
      after,
    });
    expect(at.world.checkRuns(at.repository, after)).toHaveLength(1);
  });
});

describe("branches that go away", () => {
  it("case A23 deleting the base closes pull requests for good", async () => {
    const at = await aWorld();
    await at.world.createBranch(at.repository, { name: "stack" });
    await at.world.commitFiles(at.repository, {
      branch: "top",
      files: { "top.txt": "t\n" },
      message: "Top",
    });
    const pullRequest = await at.world.createPullRequest(at.repository, {
      title: "Top",
      head: "top",
      base: "stack",
      actor: at.user,
    });
    await at.world.deleteBranch(at.repository, "stack", at.user);
    expect(pullRequest.state).toBe("CLOSED");
    await at.world.createBranch(at.repository, { name: "stack" });
    await expect(
      at.world.reopenPullRequest(at.repository, pullRequest.number, at.user),
    ).rejects.toThrow(/base branch has been deleted/);
  });

  it("case A05 renaming the base moves pull requests along, out of the queue", async () => {
    const at = await aWorld();
    const queued = await enqueued(at, "one");
    await at.world.renameBranch(at.repository, "main", "trunk");
    expect(queued).toMatchObject({ state: "OPEN", baseBranch: "trunk" });
    expect(entryOf(at, queued)).toBeNull();
    expect(at.repository.defaultBranch).toBe("trunk");
    // `~DEFAULT_BRANCH` names the new one: it can be queued again.
    await at.world.enqueue(at.repository, queued.number, { actor: at.user });
    await finish(at, groupOf(at, queued));
    expect(queued.state).toBe("MERGED");
  });

  it("S4 a pull request from a fork lands, and follows pushes to the fork", async () => {
    const at = await aWorld();
    const fork = await at.world.forkRepository(at.repository, "robin");
    await at.world.commitFiles(fork, { branch: "theirs", files: { "f.txt": "1\n" }, message: "F" });
    const pullRequest = await at.world.createPullRequest(at.repository, {
      title: "From a fork",
      head: "theirs",
      headRepository: "robin/shop",
      base: "main",
      actor: at.user,
    });
    const pushed = await at.world.commitFiles(fork, {
      branch: "theirs",
      files: { "f.txt": "2\n" },
      message: "F2",
    });
    expect(pullRequest.headSha).toBe(pushed);
    await finish(at, pushed);
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    await finish(at, groupOf(at, pullRequest));
    expect(pullRequest.state).toBe("MERGED");
    expect(await at.world.git(at.repository).isAncestor(pushed, "main")).toBe(true);
  });
});
