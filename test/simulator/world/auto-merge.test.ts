import { describe, expect, it } from "vitest";

import {
  aWorld,
  enqueued,
  entryOf,
  finish,
  groupOf,
  openPullRequest,
  type AWorld,
} from "./a-world.js";

const arm = (at: AWorld, number: number, more: object = {}) =>
  at.world.enableAutoMerge(at.repository, number, { actor: at.user, ...more });

describe("merge when ready", () => {
  it("S4 arms while checks run, and enqueues when they have passed", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await arm(at, pullRequest.number, { expectedHeadOid: pullRequest.headSha });
    expect(pullRequest.autoMerge).toMatchObject({ enabledBy: at.user, mergeMethod: "MERGE" });
    expect(entryOf(at, pullRequest)).toBeNull();

    await finish(at, pullRequest.headSha);
    expect(entryOf(at, pullRequest)).toMatchObject({ enqueuer: { login: "robin" } });
    // Quirk 4: membership is not auto-merge.
    expect(pullRequest.autoMerge).toBeNull();
    await finish(at, groupOf(at, pullRequest));
    expect(pullRequest.state).toBe("MERGED");
  });

  it("case A07 arming what waits for nothing is refused, enqueueing it works", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await finish(at, pullRequest.headSha);
    await expect(arm(at, pullRequest.number)).rejects.toMatchObject({
      type: "UNPROCESSABLE",
      message: "Pull request Pull request is in clean status",
    });
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    expect(entryOf(at, pullRequest)).not.toBeNull();
    await expect(arm(at, pullRequest.number)).rejects.toThrow(/is in clean status/);
  });

  it("case A07 a failing optional check is the unstable status", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    const optional = { name: "lint", headSha: pullRequest.headSha, appId: 9 };
    await at.world.createCheckRun(at.repository, { ...optional, conclusion: "failure" });
    await finish(at, pullRequest.headSha);
    await expect(arm(at, pullRequest.number)).rejects.toThrow(
      "Pull request Pull request is in unstable status",
    );
  });

  it("case A07 pending arms and does not enqueue; by option green is a silent no-op, or queues at once (case A09)", async () => {
    const quiet = await aWorld({ options: { armWhenClean: "arm" } });
    const green = await openPullRequest(quiet, "one");
    await expect(
      quiet.world.enqueue(quiet.repository, green.number, { actor: quiet.user }),
    ).rejects.toThrow(/in progress/);
    await finish(quiet, green.headSha);
    await arm(quiet, green.number);
    expect(green.autoMerge).not.toBeNull();
    expect(entryOf(quiet, green)).toBeNull();

    const eager = await aWorld({ options: { armWhenClean: "enqueue" } });
    const ready = await openPullRequest(eager, "one");
    await finish(eager, ready.headSha);
    const answer = await arm(eager, ready.number);
    expect(answer.autoMerge).toBeNull();
    expect(entryOf(eager, ready)).not.toBeNull();
  });

  it("case A06 a requirement that goes away fires nothing: armed, CLEAN, and not queued", async () => {
    const at = await aWorld({
      checks: [
        { context: "ci", integrationId: null },
        { context: "stale", integrationId: null },
      ],
    });
    const pullRequest = await openPullRequest(at, "one");
    await finish(at, pullRequest.headSha);
    await arm(at, pullRequest.number);
    await at.world.setRuleset(at.repository, {
      name: "main",
      mergeQueue: {},
      requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
    });

    const read = { computeMergeable: true };
    const state = await at.world.mergeability(at.repository, pullRequest.number, read);
    expect(state.mergeStateStatus).toBe("CLEAN");
    expect(pullRequest.autoMerge).not.toBeNull();
    expect(entryOf(at, pullRequest)).toBeNull();
    // Its positive twin: any change of the pull request itself fires.
    const reviewer = await at.world.createUser("casey");
    await at.world.approve(at.repository, pullRequest.number, reviewer);
    expect(entryOf(at, pullRequest)).not.toBeNull();
  });

  it("case A10 a merge method is refused under a queue, and taken without one", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await expect(arm(at, pullRequest.number, { mergeMethod: "REBASE" })).rejects.toThrow(
      /merge method is not valid for merge queue/,
    );
    const plain = await aWorld({ queue: null });
    const other = await openPullRequest(plain, "one");
    await arm(plain, other.number, { mergeMethod: "SQUASH" });
    expect(other.autoMerge?.mergeMethod).toBe("SQUASH");
    await finish(plain, other.headSha);
    expect(other.state).toBe("MERGED");
  });

  it("S4 the repository's setting rules arming, not enqueueing (github-facts 1.3)", async () => {
    const at = await aWorld({ repository: { autoMergeAllowed: false } });
    const pullRequest = await openPullRequest(at, "one");
    await expect(arm(at, pullRequest.number)).rejects.toThrow(
      "Auto merge is not allowed for this repository",
    );
    await finish(at, pullRequest.headSha);
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    expect(entryOf(at, pullRequest)).not.toBeNull();
  });

  it("S4 refuses a branch without rules and a head that is not the expected one", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    const elsewhere = "0123456789012345678901234567890123456789";
    await expect(arm(at, pullRequest.number, { expectedHeadOid: elsewhere })).rejects.toMatchObject(
      { type: "UNPROCESSABLE" },
    );
    await at.world.setRuleset(at.repository, { name: "main", enforcement: "disabled" });
    await expect(arm(at, pullRequest.number)).rejects.toThrow(/rules not configured/);
  });

  it("S4 waits for approvals", async () => {
    const at = await aWorld();
    await at.world.setRuleset(at.repository, { name: "reviews", requiredApprovals: 1 });
    const pullRequest = await openPullRequest(at, "one");
    await finish(at, pullRequest.headSha);
    await arm(at, pullRequest.number);
    expect(entryOf(at, pullRequest)).toBeNull();
    const reviewer = await at.world.createUser("casey");
    await at.world.approve(at.repository, pullRequest.number, reviewer);
    expect(entryOf(at, pullRequest)).not.toBeNull();
  });
});

describe("auto-merge off (quirk 21)", () => {
  it("S4 stays on after a push with write access, goes off after one without", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await arm(at, pullRequest.number);
    const push = { branch: "one", message: "More" };
    await at.world.commitFiles(at.repository, {
      ...push,
      files: { "more.txt": "1\n" },
      actor: at.user,
    });
    expect(pullRequest.autoMerge).not.toBeNull();

    const reader = await at.world.createUser("outsider", "read");
    await at.world.commitFiles(at.repository, {
      ...push,
      files: { "more.txt": "2\n" },
      actor: reader,
    });
    expect(pullRequest.autoMerge).toBeNull();
    expect(pullRequest.timeline.at(-1)).toMatchObject({
      type: "AutoMergeDisabledEvent",
      reasonCode: "HEAD_REF_CHANGED",
    });
    await expect(
      at.world.enableAutoMerge(at.repository, pullRequest.number, { actor: reader }),
    ).rejects.toMatchObject({ type: "FORBIDDEN" });
  });

  it("S4 goes off when the base changes, by request, and on closing", async () => {
    const at = await aWorld();
    await at.world.createBranch(at.repository, { name: "next" });
    const pullRequest = await openPullRequest(at, "one");
    await arm(at, pullRequest.number);
    await at.world.editPullRequest(at.repository, pullRequest.number, {
      base: "next",
      actor: at.user,
    });
    expect(pullRequest).toMatchObject({ autoMerge: null, baseBranch: "next" });

    const other = await openPullRequest(at, "two");
    await arm(at, other.number);
    await at.world.disableAutoMerge(at.repository, other.number, at.user);
    expect(other.autoMerge).toBeNull();
    await expect(
      at.world.disableAutoMerge(at.repository, other.number, at.user),
    ).rejects.toMatchObject({ type: "UNPROCESSABLE" });
    await arm(at, other.number);
    await at.world.closePullRequest(at.repository, other.number, at.user);
    expect(other).toMatchObject({ autoMerge: null, state: "CLOSED" });
  });

  it("S4 a removal from the queue leaves it off", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    await finish(at, groupOf(at, pullRequest), "fail");
    expect(pullRequest.autoMerge).toBeNull();
    expect(pullRequest.state).toBe("OPEN");
  });
});
