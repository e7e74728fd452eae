import { expect, it } from "vitest";
import { directMergeActivities } from "../../activities/direct-merge.js";
import { findReservation } from "../../db/reservations.js";
import type { GitHubFault } from "../../src/github/port.js";
import { lost } from "./scripted-github.js";
import { stage, type Stage } from "./stage.js";

const head = "a".repeat(40);
const refusedByGitHub: GitHubFault = {
  kind: "refused",
  status: 200,
  type: "UNPROCESSABLE",
  meaning: "unknown_refusal",
  message: "Pull Request is not mergeable",
};
const denied: GitHubFault = { kind: "no_access", status: 403, message: "not for you" };

async function withoutQueue(): Promise<{
  on: Stage;
  merge: (key?: string) => Promise<{ outcome: string }>;
}> {
  const on = await stage();
  on.github.hasQueue = false;
  await on.github.openPullRequest({ headBranch: "lane/tea", baseBranch: "main" });
  const activities = directMergeActivities({
    db: on.context.db,
    github: () => on.github,
    now: on.context.now,
  });
  return {
    on,
    merge: (key = `merge:${on.item}:1:1`) =>
      activities.mergePullRequest({
        project: on.project,
        item: on.item,
        key,
        pullRequest: 7,
        nodeId: on.github.pullRequest?.nodeId ?? "",
        headBranch: "lane/tea",
        expectedHead: head,
      }),
  };
}

const state = async (on: Stage) =>
  (await findReservation(on.context.db, { key: `merge:${on.item}:1:1` }))?.state ?? null;

it("A12.3 asked twice under one key, one request leaves the machine", async () => {
  const { on, merge } = await withoutQueue();
  on.github.fail("mergePullRequest", "before", lost);
  expect(await merge()).toEqual({ outcome: "sent" });
  expect(await state(on)).toBe("uncertain");
  expect(await merge()).toEqual({ outcome: "sent" });
  expect(on.github.count("mergePullRequest")).toBe(1);
  expect(await merge(`merge:${on.item}:1:2`)).toEqual({ outcome: "sent" });
  expect(on.github.pullRequest?.state).toBe("MERGED");
});

it("A12.3 case A31 after a reply that was lost behind the effect, the content on the branch keeps a second request back", async () => {
  const { on, merge } = await withoutQueue();
  on.github.fail("mergePullRequest", "after", lost);
  await merge();
  // GitHub shows the pull request as open for a while.
  on.github.change({ state: "OPEN", merge: null });
  on.github.comparison = "BEHIND";
  expect(await merge(`merge:${on.item}:1:2`)).toMatchObject({ outcome: "later" });
  expect(on.github.count("mergePullRequest")).toBe(1);
});

it.each([
  ["refused", refusedByGitHub, "refused"],
  ["denied", denied, "refused"],
  ["limited", { kind: "rate_limited", retryAfterMs: 1000, message: "slow down" }, "later"],
] as const)("A12.3 a request that is %s gives its key back", async (_name, fault, outcome) => {
  const { on, merge } = await withoutQueue();
  on.github.fail("mergePullRequest", "before", fault);
  expect(await merge()).toMatchObject({ outcome });
  expect(await state(on)).toBe("released");
});

it("A12.3 a queue, a base that moved, another head or a frozen project: nothing is sent", async () => {
  const { on, merge } = await withoutQueue();
  on.github.hasQueue = true;
  expect(await merge()).toEqual({ outcome: "has_queue" });
  on.github.hasQueue = false;
  on.github.comparison = "DIVERGED";
  expect(await merge()).toEqual({ outcome: "stale" });
  on.github.comparison = "AHEAD";
  on.github.change({ head: "b".repeat(40) });
  expect(await merge()).toMatchObject({ outcome: "later" });
  on.github.change({ head });
  await on.ask("project.freeze", { project: on.project, reason: "release" });
  expect(await merge()).toMatchObject({ outcome: "later" });
  expect(on.github.count("mergePullRequest")).toBe(0);
  expect(await state(on)).toBeNull();
  await on.ask("project.unfreeze", { project: on.project });
  expect(await merge()).toEqual({ outcome: "sent" });
});
