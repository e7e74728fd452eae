import {
  array,
  assert as assertProperty,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  tuple,
  type Arbitrary,
} from "fast-check";
import { describe, expect, it } from "vitest";

import type { MergeMethod, PullRequest } from "../../../src/simulator/world/model.js";
import { Refusal } from "../../../src/simulator/world/refusal.js";
import { aWorld, finish, mainTip, openPullRequest, queueRefs, type AWorld } from "./a-world.js";

type Step =
  | { readonly do: "open" | "enqueue" | "jump" | "dequeue" | "close" | "push base" | "wait" }
  | { readonly do: "finish"; readonly conclusion: "pass" | "fail" | "cancel" };

const step: Arbitrary<Step & { readonly pick: number }> = tuple(
  oneof(
    { weight: 4, arbitrary: constant<Step>({ do: "enqueue" }) },
    { weight: 3, arbitrary: constant<Step>({ do: "open" }) },
    {
      weight: 6,
      arbitrary: constantFrom(
        "pass" as const,
        "pass" as const,
        "fail" as const,
        "cancel" as const,
      ).map((conclusion): Step => ({ do: "finish", conclusion })),
    },
    {
      weight: 3,
      arbitrary: constantFrom(
        "jump" as const,
        "dequeue" as const,
        "close" as const,
        "push base" as const,
        "wait" as const,
      ).map((what): Step => ({ do: what })),
    },
  ),
  nat(99),
).map(([one, pick]) => ({ ...one, pick }));

let serial = 0;

/** Does one step; a refusal is an answer, not a failure. */
async function take(at: AWorld, { pick, ...one }: Step & { pick: number }): Promise<void> {
  const { world, repository, user } = at;
  const pulls = world.pullRequests(repository);
  const chosen = pulls[pick % Math.max(1, pulls.length)];
  const queued = world.queue(repository, "main")?.entries ?? [];
  const entry = queued[pick % Math.max(1, queued.length)];
  serial += 1;
  switch (one.do) {
    case "open": {
      // Every third writes the same file, so that entries conflict.
      const path = pick % 3 === 0 ? "shared.txt" : `file-${serial}.txt`;
      const pullRequest = await openPullRequest(at, `b${serial}`, { [path]: `${serial}\n` });
      await finish(at, pullRequest.headSha);
      return;
    }
    case "enqueue":
    case "jump":
      if (chosen !== undefined)
        await world
          .enqueue(repository, chosen.number, { actor: user, jump: one.do === "jump" })
          .catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
          });
      return;
    case "dequeue":
      if (entry !== undefined) await world.dequeue(repository, entry.pullRequest, user);
      return;
    case "close":
      if (chosen?.state === "OPEN") await world.closePullRequest(repository, chosen.number, user);
      return;
    case "finish":
      if (entry?.group != null && entry.state === "AWAITING_CHECKS")
        await finish(at, entry.group.headSha, one.conclusion);
      return;
    case "push base":
      await world.commitFiles(repository, {
        branch: "main",
        files: { [`base-${serial}.txt`]: "x\n" },
        message: "Direct",
      });
      return;
    case "wait":
      await world.advance(pick * 60_000);
  }
}

/** What does not hold, of what must whatever has happened. */
async function violations(at: AWorld): Promise<string[]> {
  const { world, repository } = at;
  const entries = world.queue(repository, "main")?.entries ?? [];
  const git = world.git(repository);
  const found: string[] = [];

  let previous: string | null = await mainTip(at);
  for (const { group, pullRequest, position } of entries) {
    if (group === null) {
      previous = null;
      continue;
    }
    // What landed as another commit has the tree of the group behind which the front was built.
    const stands =
      group.baseSha === previous ||
      (position === 1 && (await git.treeOf(group.baseSha)) === (await git.treeOf("main")));
    if (!stands) found.push(`the chain is broken at #${pullRequest}`);
    if ((await git.branch(group.branch)) !== group.headSha) found.push(`${group.branch} is astray`);
    previous = group.headSha;
  }
  const branches = entries.flatMap(({ group }) =>
    group === null ? [] : [`refs/heads/${group.branch}`],
  );
  if ((await queueRefs(at)).join() !== branches.sort().join())
    found.push("queue branches are not those of the groups");
  if (new Set(entries.map(({ pullRequest }) => pullRequest)).size !== entries.length)
    found.push("a pull request is queued twice");
  for (const pullRequest of world.pullRequests(repository))
    found.push(...(await violationsOf(at, pullRequest)));
  return found;
}

async function violationsOf(at: AWorld, pullRequest: PullRequest): Promise<string[]> {
  const { number, state, mergeCommit, timeline } = pullRequest;
  const git = at.world.git(at.repository);
  const queued = at.world.pullRequestView(at.repository, number)?.entry != null;
  const count = (type: string): number => timeline.filter((event) => event.type === type).length;
  const landed = mergeCommit !== null && (await git.isAncestor(mergeCommit, "main"));
  return [
    ...(count("AddedToMergeQueueEvent") - count("RemovedFromMergeQueueEvent") === (queued ? 1 : 0)
      ? []
      : [`the timeline of #${number} does not add up`]),
    ...(queued && state !== "OPEN" ? [`#${number} is queued and ${state}`] : []),
    ...(landed === (state === "MERGED") ? [] : [`#${number} is ${state}, landed: ${landed}`]),
  ];
}

describe("a queue under any sequence of steps", () => {
  for (const mergeMethod of ["MERGE", "SQUASH", "REBASE"] satisfies MergeMethod[])
    for (const landedCommit of ["group", "new"] as const)
      it(`S4 keeps its invariants (${mergeMethod}, ${landedCommit})`, async () => {
        await assertProperty(
          asyncProperty(array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
            const at = await aWorld({
              files: { "shared.txt": "0\n" },
              queue: { mergeMethod, minEntriesToMerge: 2, maxEntriesToBuild: 3 },
              options: { landedCommit, conflicts: steps.length % 2 === 0 ? "keep" : "evict" },
            });
            await take(at, { do: "open", pick: 1 });
            await take(at, { do: "open", pick: 2 });
            for (const one of steps) {
              await take(at, one);
              expect(await violations(at)).toEqual([]);
            }
          }),
          { numRuns: 6 },
        );
      });
});
