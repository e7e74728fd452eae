/** What became of a landing, from GitHub's own state, git and the stores: nothing lost, nothing twice. */
import { join } from "node:path";
import type { Client } from "@temporalio/client";
import { listOpenLandings } from "../../db/landings.js";
import { workflowId } from "../../workflows/names.js";
import { Story, type Lane } from "../scenarios/story.js";
import type { HolderInbox } from "./holder-inbox.js";

export interface Aftermath {
  readonly story: Story;
  readonly item: string;
  readonly lane: Lane;
  readonly inbox: HolderInbox;
  readonly temporal: Client;
}

/** What the functions answer, as far as it is looked at. */
interface ItemDetail {
  readonly item: { readonly status: string };
  readonly merge_queue: {
    readonly landing: { readonly phase: string; readonly episode: number } | null;
    readonly receipts: readonly {
      readonly mergeCommit: string;
      readonly closeOut: { readonly result: string | null } | null;
    }[];
    readonly lanes: readonly { readonly state: string }[];
  };
}

/** One line for each thing that is not as it must be after a landing. */
export async function complaints(after: Aftermath): Promise<string[]> {
  return [
    ...onGithub(after),
    ...(await onMain(after)),
    ...(await inStores(after)),
    ...(await leftBehind(after)),
  ];
}

function expectCount(what: string, seen: number, wanted = 1): string[] {
  return seen === wanted ? [] : [`${seen} ${what}, not ${wanted}`];
}

function onGithub({ story, lane }: Aftermath): string[] {
  const all = story.simulator.world.pullRequests(story.repository);
  const [pullRequest] = all;
  const times = (type: string) =>
    pullRequest?.timeline.filter((event) => event.type === type).length ?? 0;
  return [
    ...expectCount("pull requests", all.length),
    ...(pullRequest?.state === "MERGED" ? [] : [`the pull request is ${pullRequest?.state}`]),
    ...(pullRequest?.headSha === lane.head ? [] : ["the head is not the candidate"]),
    ...expectCount("armings", times("AutoMergeEnabledEvent")),
    ...expectCount("disarmings", times("AutoMergeDisabledEvent"), 0),
    ...expectCount("queue entries", times("AddedToMergeQueueEvent")),
  ];
}

/** Merges of `main`'s first-parent history that have the candidate as their other parent. */
async function onMain({ story, lane }: Aftermath): Promise<string[]> {
  const clone = join(story.home, "clone");
  await Story.git(clone, "fetch", "-q", "origin");
  const history = await Story.git(clone, "rev-list", "--first-parent", "--parents", "origin/main");
  const carrying = history.split("\n").filter((line) => line.split(" ").includes(lane.head, 2));
  return expectCount("merges of the candidate on main", carrying.length);
}

async function inStores({ story, item, inbox }: Aftermath): Promise<string[]> {
  const detail = await story.ok<ItemDetail>("items.detail.get", { item });
  const { receipts, landing, lanes } = detail.merge_queue;
  const { notices } = await story.ok<{ notices: { state: string }[] }>("notices.list", {
    item,
    all: true,
  });
  const keys = [...new Set(inbox.received)];
  const wanted = `${item}/1/landed`;
  const merged = story.simulator.world.pullRequests(story.repository)[0]?.mergeCommit;
  return [
    ...(detail.item.status === "landed" ? [] : [`the item is ${detail.item.status}`]),
    ...(landing?.phase === "closed_out" ? [] : [`the landing is ${landing?.phase}`]),
    ...expectCount("episodes", landing?.episode ?? 0),
    ...expectCount("receipts", receipts.length),
    ...(receipts[0]?.mergeCommit === merged ? [] : ["the receipt names another merge commit"]),
    ...(receipts[0]?.closeOut?.result === "tea is sold" ? [] : ["the receipt is not complete"]),
    ...(lanes.every(({ state }) => state === "removed") ? [] : ["the lane is kept on record"]),
    ...expectCount("notices on record", notices.length),
    ...(notices[0]?.state === "acknowledged" ? [] : [`the notice is ${notices[0]?.state}`]),
    ...(keys.join() === wanted ? [] : [`the holder received ${keys.join()}, not ${wanted}`]),
  ];
}

async function leftBehind({ story, item, lane, temporal }: Aftermath): Promise<string[]> {
  const open = await listOpenLandings(story.context.db, { project: story.project });
  const { status } = await temporal.workflow.getHandle(workflowId.landing(item)).describe();
  const clone = join(story.home, "clone");
  const [worktrees, branches] = await Promise.all([
    Story.git(clone, "worktree", "list", "--porcelain"),
    Story.git(clone, "branch", "--list", lane.branch),
  ]);
  return [
    ...expectCount("open landings", open.length, 0),
    ...(status.name === "COMPLETED" ? [] : [`the landing's workflow is ${status.name}`]),
    ...(worktrees.includes(lane.path) ? ["the worktree is left"] : []),
    ...(branches === "" ? [] : ["the branch is left"]),
  ];
}
