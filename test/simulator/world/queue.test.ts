import { describe, expect, it } from "vitest";

import {
  aWorld,
  enqueued,
  entryOf,
  finish,
  groupOf,
  mainTip,
  MINUTE,
  openPullRequest,
  queueRefs,
  removals,
} from "./a-world.js";

describe("entering the queue", () => {
  it("S4 enqueues a ready pull request and shows entry, position and group", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");

    const queue = at.world.queue(at.repository, "main");
    expect(
      queue?.entries.map(({ pullRequest, position, state }) => [pullRequest, position, state]),
    ).toEqual([
      [first.number, 1, "AWAITING_CHECKS"],
      [second.number, 2, "AWAITING_CHECKS"],
    ]);
    expect(first.timeline.map((event) => event.type)).toEqual(["AddedToMergeQueueEvent"]);
  });

  it("S4 refuses what is not ready, with every unmet requirement", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await expect(
      at.world.enqueue(at.repository, pullRequest.number, { actor: at.user }),
    ).rejects.toMatchObject({
      type: "UNPROCESSABLE",
      message: 'Required status check "ci" is in progress.',
    });

    await finish(at, pullRequest.headSha, "fail");
    await at.world.setDraft(at.repository, pullRequest.number, true, at.user);
    await expect(
      at.world.enqueue(at.repository, pullRequest.number, { actor: at.user }),
    ).rejects.toThrow(/draft.*\n.*"ci" is failing/s);
  });

  it("S4 refuses a second enqueue, a moved head, and a branch without a queue", async () => {
    const at = await aWorld();
    const queued = await enqueued(at, "one");
    const ask = { actor: at.user };
    await expect(at.world.enqueue(at.repository, queued.number, ask)).rejects.toThrow(/already in/);

    const other = await openPullRequest(at, "two");
    await finish(at, other.headSha);
    await expect(
      at.world.enqueue(at.repository, other.number, { ...ask, expectedHeadOid: queued.headSha }),
    ).rejects.toMatchObject({ type: "UNPROCESSABLE" });
    await at.world.enqueue(at.repository, other.number, { ...ask, expectedHeadOid: other.headSha });
    expect(entryOf(at, other)?.position).toBe(2);

    const plain = await aWorld({ queue: null });
    const alone = await openPullRequest(plain, "one");
    await expect(
      plain.world.enqueue(plain.repository, alone.number, { actor: plain.user }),
    ).rejects.toThrow(/not enabled/);
  });

  it("S4 a check counts only from the required source", async () => {
    const at = await aWorld({ checks: [{ context: "gate", integrationId: 77 }] });
    const pullRequest = await openPullRequest(at, "one");
    const enqueue = () => at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    const report = { name: "gate", headSha: pullRequest.headSha, conclusion: "success" as const };

    await at.world.createCheckRun(at.repository, { ...report, appId: 78 });
    await at.world.createStatus(at.repository, {
      sha: pullRequest.headSha,
      context: "gate",
      state: "success",
      creator: at.user,
    });
    await expect(enqueue()).rejects.toThrow(/"gate" is expected/);

    await at.world.createCheckRun(at.repository, { ...report, appId: 77 });
    await enqueue();
    expect(entryOf(at, pullRequest)).not.toBeNull();
  });

  it("S4 wants both a check and a status of one name (quirk 17)", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    const status = { sha: pullRequest.headSha, context: "ci", creator: at.user };
    await at.world.createStatus(at.repository, { ...status, state: "pending" });
    await finish(at, pullRequest.headSha);
    const check = { context: "ci", integrationId: null };
    expect(at.world.checkVerdict(at.repository, pullRequest.headSha, check)).toBe("pending");
    await at.world.createStatus(at.repository, { ...status, state: "success" });
    expect(at.world.checkVerdict(at.repository, pullRequest.headSha, check)).toBe("success");
  });

  it("S4 jumping goes to the front and rebuilds everything (quirk 27)", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one");
    const before = groupOf(at, first);
    const urgent = await openPullRequest(at, "urgent");
    await finish(at, urgent.headSha);
    await at.world.enqueue(at.repository, urgent.number, { actor: at.user, jump: true });

    expect(entryOf(at, urgent)).toMatchObject({ position: 1, jump: true });
    expect(entryOf(at, first)?.position).toBe(2);
    expect(groupOf(at, first)).not.toBe(before);
    expect(entryOf(at, first)?.group?.baseSha).toBe(groupOf(at, urgent));
  });
});

describe("groups", () => {
  it("S4 are real commits, chained, on branches named by what they are built on", async () => {
    const at = await aWorld();
    const tip = await mainTip(at);
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");

    const one = groupOf(at, first);
    const two = groupOf(at, second);
    expect(await queueRefs(at)).toEqual([
      `refs/heads/gh-readonly-queue/main/pr-${first.number}-${tip}`,
      `refs/heads/gh-readonly-queue/main/pr-${second.number}-${one}`,
    ]);
    const git = at.world.git(at.repository);
    expect((await git.commit(one)).parents).toEqual([tip, first.headSha]);
    expect((await git.commit(two)).parents).toEqual([one, second.headSha]);
    expect((await git.commit(one)).message).toBe(
      `Merge pull request #${first.number} from acme/one\n\nLand one`,
    );
    expect((await git.changedFiles(one, two)).map((file) => file.path)).toEqual(["two.txt"]);
  });

  it("B0.2 are named by the queued head when a test asks for it", async () => {
    const at = await aWorld({ options: { branchNaming: "head" } });
    const pullRequest = await enqueued(at, "one");
    expect(await queueRefs(at)).toEqual([
      `refs/heads/gh-readonly-queue/main/pr-${pullRequest.number}-${pullRequest.headSha}`,
    ]);
  });

  it("S4 no more of them ask for checks at once than the queue builds", async () => {
    const at = await aWorld({ queue: { maxEntriesToBuild: 1, minEntriesToMergeWaitMinutes: 0 } });
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    expect(entryOf(at, second)).toMatchObject({ state: "QUEUED", group: null });

    await finish(at, groupOf(at, first));
    expect(first.state).toBe("MERGED");
    expect(entryOf(at, second)?.state).toBe("AWAITING_CHECKS");
  });

  it("S4 an entry that jumps is built although groups behind it fill the build limit", async () => {
    const at = await aWorld({ queue: { maxEntriesToBuild: 1 } });
    const first = await enqueued(at, "one");
    const urgent = await openPullRequest(at, "urgent");
    await finish(at, urgent.headSha);
    await at.world.enqueue(at.repository, urgent.number, { actor: at.user, jump: true });
    expect(entryOf(at, urgent)).toMatchObject({ position: 1, state: "AWAITING_CHECKS" });
    expect(entryOf(at, first)).toMatchObject({ state: "QUEUED", group: null });
  });

  it("S4 a push to the base rebuilds them and discards green results (quirk 27)", async () => {
    const at = await aWorld({ queue: { minEntriesToMerge: 2, minEntriesToMergeWaitMinutes: 30 } });
    const pullRequest = await enqueued(at, "one");
    const old = groupOf(at, pullRequest);
    await finish(at, old);
    expect(entryOf(at, pullRequest)?.state).toBe("MERGEABLE");

    const pushed = await at.world.commitFiles(at.repository, {
      branch: "main",
      files: { "direct.txt": "x\n" },
      message: "[skip ci] direct",
    });
    expect(entryOf(at, pullRequest)).toMatchObject({
      state: "AWAITING_CHECKS",
      group: { baseSha: pushed },
    });
    expect(groupOf(at, pullRequest)).not.toBe(old);
    expect(await queueRefs(at)).toHaveLength(1);
  });

  it("S4 landing the front keeps the groups behind it (quirk 27)", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    const kept = groupOf(at, second);
    await finish(at, groupOf(at, first));
    expect(first.state).toBe("MERGED");
    expect(groupOf(at, second)).toBe(kept);
  });

  it("S4 a conflict with the entry ahead is UNMERGEABLE and blocks those behind (quirk 2)", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one", { "same.txt": "one\n" });
    const second = await enqueued(at, "two", { "same.txt": "two\n" });
    const third = await enqueued(at, "three");
    expect(entryOf(at, second)).toMatchObject({ state: "UNMERGEABLE", group: null });
    expect(entryOf(at, third)).toMatchObject({ state: "QUEUED", group: null });

    await at.world.dequeue(at.repository, second.number, at.user);
    expect(entryOf(at, third)?.group?.baseSha).toBe(groupOf(at, first));
  });

  it("S4 a conflict is removed with MERGE_CONFLICT by option", async () => {
    const at = await aWorld({ options: { conflicts: "evict" } });
    await enqueued(at, "one", { "same.txt": "one\n" });
    const second = await enqueued(at, "two", { "same.txt": "two\n" });
    expect(entryOf(at, second)).toBeNull();
    expect(removals(second).map((event) => event.reason)).toEqual(["merge_conflict"]);
  });
});

describe("leaving the queue", () => {
  it("S4 a failed group leaves, those behind are rebuilt without it", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    const tip = await mainTip(at);
    const failed = groupOf(at, first);
    await finish(at, failed, "fail");

    expect(entryOf(at, first)).toBeNull();
    expect(first.state).toBe("OPEN");
    expect(entryOf(at, second)?.group?.baseSha).toBe(tip);
    // Quirk 23: the removal hangs on the group commit, not on the head of the pull request.
    expect(removals(first)).toMatchObject([{ reason: "failed_checks", beforeCommit: failed }]);
  });

  it("S4 cancelled counts as failed, skipped does not (quirks 13, 14)", async () => {
    const at = await aWorld();
    const first = await enqueued(at, "one");
    await finish(at, groupOf(at, first), "cancel");
    expect(entryOf(at, first)).toBeNull();

    const second = await enqueued(at, "two");
    const check = at.world.checkRuns(at.repository, groupOf(at, second))[0];
    await at.world.updateCheckRun(at.repository, check?.id ?? 0, { conclusion: "skipped" });
    expect(second.state).toBe("MERGED");
  });

  it("S4 a check that never answers ends in a removal by timeout", async () => {
    const at = await aWorld({ queue: { checkResponseTimeoutMinutes: 20 } });
    const pullRequest = await enqueued(at, "one");
    await at.world.advance(20 * MINUTE - 1);
    expect(entryOf(at, pullRequest)?.state).toBe("AWAITING_CHECKS");
    await at.world.advance(1);
    expect(entryOf(at, pullRequest)).toBeNull();
    expect(removals(pullRequest).map((event) => event.reason)).toEqual(["checks_timed_out"]);
  });

  it("S4 dequeue removes, and a second one is refused", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    await at.world.dequeue(at.repository, pullRequest.number, at.user);
    expect(removals(pullRequest)).toMatchObject([{ reason: "manual", actor: { login: "robin" } }]);
    expect(await queueRefs(at)).toEqual([]);
    await expect(
      at.world.dequeue(at.repository, pullRequest.number, at.user),
    ).rejects.toMatchObject({ type: "UNPROCESSABLE" });
  });

  it("case A43 deleting the head branch while queued closes the pull request unmerged", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    await at.world.deleteBranch(at.repository, "one", at.user);
    expect(pullRequest).toMatchObject({ state: "CLOSED", mergedAt: null, headBranchExists: false });
    expect(entryOf(at, pullRequest)).toBeNull();
    expect(await queueRefs(at)).toEqual([]);
    await expect(
      at.world.reopenPullRequest(at.repository, pullRequest.number, at.user),
    ).rejects.toThrow(/head branch has been deleted/);
  });

  it("S4 removing the queue from the ruleset clears it", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    await at.world.setRuleset(at.repository, { name: "main", mergeQueue: null });
    expect(entryOf(at, pullRequest)).toBeNull();
    expect(removals(pullRequest).map((event) => event.reason)).toEqual(["queue_cleared"]);
    expect(at.world.queue(at.repository, "main")).toBeNull();
  });
});
