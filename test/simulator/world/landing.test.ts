import { describe, expect, it } from "vitest";

import {
  aWorld,
  enqueued,
  entryOf,
  finish,
  groupOf,
  mainTip,
  MINUTE,
  names,
  openPullRequest,
  queueRefs,
  removals,
} from "./a-world.js";

describe("landing", () => {
  it("S4 MERGE fast-forwards the base to the group commit", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    const group = groupOf(at, pullRequest);
    await finish(at, group);

    expect(await mainTip(at)).toBe(group);
    expect(pullRequest).toMatchObject({
      state: "MERGED",
      mergeCommit: group,
      autoMerge: null,
      mergedBy: { login: "github-merge-queue[bot]" },
    });
    expect(await queueRefs(at)).toEqual([]);
    expect(entryOf(at, pullRequest)).toBeNull();
  });

  it("S4 SQUASH lands one commit with one parent", async () => {
    const at = await aWorld({ queue: { mergeMethod: "SQUASH" } });
    const tip = await mainTip(at);
    const pullRequest = await enqueued(at, "one");
    const group = groupOf(at, pullRequest);
    await finish(at, group);
    const commit = await at.world.git(at.repository).commit(await mainTip(at));
    expect(commit).toMatchObject({ sha: group, parents: [tip], message: "Land one (#1)" });
  });

  it("S4 REBASE replays the commits of the head, and conflicts as git says", async () => {
    const at = await aWorld({ queue: { mergeMethod: "REBASE" } });
    const branch = { branch: "one", actor: at.user };
    await at.world.commitFiles(at.repository, {
      ...branch,
      files: { "a.txt": "a\n" },
      message: "A",
    });
    const pullRequest = await openPullRequest(at, "one", { "b.txt": "b\n" });
    await at.world.commitFiles(at.repository, {
      branch: "main",
      files: { "base.txt": "x\n" },
      message: "Base moved",
    });
    const tip = await mainTip(at);
    await finish(at, pullRequest.headSha);
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    await finish(at, groupOf(at, pullRequest));

    const git = at.world.git(at.repository);
    const landed = await git.commitsBetween(tip, await mainTip(at));
    expect(landed.map(({ message }) => message)).toEqual(["A", "Add one"]);
    expect(landed.map(({ parents }) => parents.length)).toEqual([1, 1]);
    expect(pullRequest.mergeCommit).toBe(landed.at(-1)?.sha);

    const ours = await enqueued(at, "ours", { "same.txt": "ours\n" });
    const theirs = await enqueued(at, "theirs", { "same.txt": "theirs\n" });
    expect(entryOf(at, ours)?.state).toBe("AWAITING_CHECKS");
    expect(entryOf(at, theirs)?.state).toBe("UNMERGEABLE");
  });

  it("S4 by option another commit of the same tree lands, and those behind keep their groups (quirk 26)", async () => {
    const at = await aWorld({ queue: { mergeMethod: "SQUASH" }, options: { landedCommit: "new" } });
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    const [one, two] = [groupOf(at, first), groupOf(at, second)];
    await finish(at, one);
    const git = at.world.git(at.repository);
    expect(first.mergeCommit).toBe(await mainTip(at));
    expect(first.mergeCommit).not.toBe(one);
    expect(await git.treeOf(await mainTip(at))).toBe(await git.treeOf(one));

    expect(groupOf(at, second)).toBe(two);
    await finish(at, two);
    expect(second.state).toBe("MERGED");
    expect((await git.commit(await mainTip(at))).parents).toEqual([first.mergeCommit]);
    expect(await git.treeOf(await mainTip(at))).toBe(await git.treeOf(two));
  });

  it("case A01 a removal event fires on success too, by the same bot (quirk 22)", async () => {
    for (const removalOnMerge of ["before_merged", "after_merged"] as const) {
      const at = await aWorld({ options: { removalOnMerge } });
      const hook = { url: "http://receiver/", secret: "s", events: ["pull_request"] };
      await at.world.createHook(at.repository, hook);
      const lands = await enqueued(at, "lands");
      const fails = await enqueued(at, "fails");
      await finish(at, groupOf(at, fails), "fail");
      await finish(at, groupOf(at, lands));
      await at.world.idle();

      const [success] = removals(lands);
      const [failure] = removals(fails);
      expect(success?.actor).toEqual(failure?.actor);
      expect([success?.reason, failure?.reason]).toEqual(["merged", "failed_checks"]);
      const kinds = lands.timeline.map((event) => event.type);
      const removed = kinds.indexOf("RemovedFromMergeQueueEvent");
      expect(removed < kinds.indexOf("MergedEvent")).toBe(removalOnMerge === "before_merged");
      // The webhook has a vocabulary of its own.
      const dequeued = at.received.filter(({ delivery }) => delivery.action === "dequeued");
      expect(dequeued.map(({ payload }) => payload["reason"])).toEqual(["CI_FAILURE", "MERGE"]);
      expect(names(at.received)).toContain("pull_request.closed");
    }
  });

  it("case A01 reads lag writes: the merged flag shows only on a later read (quirk 24)", async () => {
    const at = await aWorld({ options: { lagMs: 75_000 } });
    await at.world.updateRepository(at.repository, { options: { lagMs: 0 } });
    const pullRequest = await enqueued(at, "one");
    await at.world.advance(5 * MINUTE);
    await at.world.updateRepository(at.repository, { options: { lagMs: 75_000 } });
    await finish(at, groupOf(at, pullRequest));

    const read = () => at.world.pullRequestView(at.repository, pullRequest.number);
    expect(pullRequest.state).toBe("MERGED");
    expect(read()).toMatchObject({
      pullRequest: { state: "OPEN" },
      entry: { state: "AWAITING_CHECKS", position: 1 },
    });
    await at.world.advance(75_000);
    expect(read()).toMatchObject({ pullRequest: { state: "MERGED" }, entry: null });
  });

  it("S4 waits for the minimum group, and no longer than the wait", async () => {
    const at = await aWorld({ queue: { minEntriesToMerge: 3, minEntriesToMergeWaitMinutes: 5 } });
    const first = await enqueued(at, "one");
    await at.world.advance(MINUTE);
    const second = await enqueued(at, "two");
    await finish(at, groupOf(at, first));
    await finish(at, groupOf(at, second));
    expect(entryOf(at, first)?.state).toBe("MERGEABLE");
    await at.world.advance(4 * MINUTE - 1);
    expect(first.state).toBe("OPEN");
    await at.world.advance(1);
    expect([first.state, second.state]).toEqual(["MERGED", "MERGED"]);
  });

  it("S4 lands no more at once than the maximum", async () => {
    const at = await aWorld({ queue: { maxEntriesToMerge: 1 } });
    const hook = { url: "http://receiver/", secret: "s", events: ["push"] };
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    await finish(at, groupOf(at, second));
    expect(second.state).toBe("OPEN");
    await at.world.createHook(at.repository, hook);
    await finish(at, groupOf(at, first));
    await at.world.idle();
    expect([first.state, second.state]).toEqual(["MERGED", "MERGED"]);
    const pushes = at.received.filter(({ payload }) => payload["ref"] === "refs/heads/main");
    expect(pushes).toHaveLength(2);
  });

  it("S4 HEADGREEN lands a failing entry below a green one, ALLGREEN removes it", async () => {
    const head = await aWorld({ queue: { groupingStrategy: "HEADGREEN", minEntriesToMerge: 1 } });
    const [a, b] = [await enqueued(head, "one"), await enqueued(head, "two")];
    await finish(head, groupOf(head, a), "fail");
    expect(entryOf(head, a)).not.toBeNull();
    await finish(head, groupOf(head, b));
    expect([a.state, b.state]).toEqual(["MERGED", "MERGED"]);

    const all = await aWorld({ queue: { groupingStrategy: "ALLGREEN" } });
    const [c, d] = [await enqueued(all, "one"), await enqueued(all, "two")];
    await finish(all, groupOf(all, c), "fail");
    expect(entryOf(all, c)).toBeNull();
    expect(entryOf(all, d)?.state).toBe("AWAITING_CHECKS");
  });

  it("S4 no required check is no gate (quirk 15)", async () => {
    const at = await aWorld({ checks: [] });
    const pullRequest = await openPullRequest(at, "one");
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    expect(pullRequest.state).toBe("MERGED");
  });

  it("case A34 the queue can be made to write a wrong tree, once", async () => {
    const at = await aWorld({ queue: { mergeMethod: "SQUASH" } });
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    await at.world.writeWrongTree(at.repository);
    const before = await mainTip(at);
    await finish(at, groupOf(at, first));
    const git = at.world.git(at.repository);
    expect(first.state).toBe("MERGED");
    expect(await git.treeOf(await mainTip(at))).toBe(await git.treeOf(before));

    expect(entryOf(at, second)?.group?.baseSha).toBe(first.mergeCommit);
    await finish(at, groupOf(at, second));
    const changed = await git.changedFiles(before, await mainTip(at));
    expect(changed.map(({ path }) => path)).toEqual(["two.txt"]);
  });

  it("S4 a head that was pushed to the base counts as merged, and leaves the queue", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    await at.world.updateBranch(at.repository, {
      name: "main",
      sha: pullRequest.headSha,
      actor: at.user,
    });
    expect(pullRequest.state).toBe("MERGED");
    expect(removals(pullRequest).map(({ reason }) => reason)).toEqual(["already_merged"]);
  });

  it("S4 deletes the head after landing when the repository says so", async () => {
    const at = await aWorld({ repository: { deleteBranchOnMerge: true } });
    const pullRequest = await enqueued(at, "one");
    await finish(at, groupOf(at, pullRequest));
    expect(pullRequest).toMatchObject({ state: "MERGED", headBranchExists: false });
    expect(await at.world.git(at.repository).branch("one")).toBeNull();
  });

  it("case A11 a direct merge is refused on a queued base, and works on another", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await finish(at, pullRequest.headSha);
    const merge = () =>
      at.world.mergePullRequest(at.repository, pullRequest.number, { actor: at.user });
    await expect(merge()).rejects.toMatchObject({
      status: 405,
      message: "Changes must be made through the merge queue",
    });
    await at.world.setRuleset(at.repository, { name: "main", mergeQueue: null });
    expect(await merge()).toBe(await mainTip(at));
    expect(pullRequest.state).toBe("MERGED");
  });
});
