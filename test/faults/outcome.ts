/** What became of a landing: it landed once, and nothing is lost, doubled or left. */
import { check } from "../checkers/index.js";
import type { Story } from "../scenarios/story.js";
import type { HolderInbox } from "./holder-inbox.js";

export interface Aftermath {
  readonly story: Story;
  readonly item: string;
  /** The candidate. */
  readonly commit: string;
  readonly inbox: HolderInbox;
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
  };
}

/** One line for each thing that is not as it must be after this landing. */
export async function complaints(after: Aftermath): Promise<string[]> {
  return [
    ...onGithub(after),
    ...(await onRecord(after)),
    ...toldOnce(after),
    ...(await checked(after)),
  ];
}

function expectCount(what: string, seen: number, wanted = 1): string[] {
  return seen === wanted ? [] : [`${seen} ${what}, not ${wanted}`];
}

/** GitHub's own timeline: whatever was sent, it had one effect. */
function onGithub({ story, commit }: Aftermath): string[] {
  const all = story.simulator.world.pullRequests(story.repository);
  const [pullRequest] = all;
  const times = (type: string) =>
    pullRequest?.timeline.filter((event) => event.type === type).length ?? 0;
  return [
    ...expectCount("pull requests", all.length),
    ...(pullRequest?.state === "MERGED" ? [] : [`the pull request is ${pullRequest?.state}`]),
    ...(pullRequest?.headSha === commit ? [] : ["the head is not the candidate"]),
    ...expectCount("armings", times("AutoMergeEnabledEvent")),
    ...expectCount("disarmings", times("AutoMergeDisabledEvent"), 0),
    ...expectCount("queue entries", times("AddedToMergeQueueEvent")),
    ...expectCount("merges", times("MergedEvent")),
  ];
}

async function onRecord({ story, item }: Aftermath): Promise<string[]> {
  const detail = await story.ok<ItemDetail>("items.detail.get", { item });
  const { receipts, landing } = detail.merge_queue;
  return [
    ...(detail.item.status === "landed" ? [] : [`the item is ${detail.item.status}`]),
    ...(landing?.phase === "closed_out" ? [] : [`the landing is ${landing?.phase}`]),
    ...expectCount("episodes", landing?.episode ?? 0),
    ...expectCount("receipts", receipts.length),
    ...(receipts[0]?.closeOut?.result === "tea is sold" ? [] : ["the receipt is not complete"]),
  ];
}

/** The holder acts once on a key: a repeat under the same key is no second notice. */
function toldOnce({ item, inbox }: Aftermath): string[] {
  const keys = [...new Set(inbox.received)].join();
  const wanted = `${item}/1/landed`;
  return keys === wanted ? [] : [`the holder was told ${keys}, not ${wanted}`];
}

/** The checkers of every scenario: merges, receipts, notices, projections, lanes, reservations, histories. */
async function checked({ story, inbox }: Aftermath): Promise<string[]> {
  try {
    const mailboxes = [[...new Set(inbox.received)]];
    await check({ ...(await story.settledWorld()), mailboxes });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message.replaceAll(/\n\s*/g, "; ") : String(error)];
  }
}
