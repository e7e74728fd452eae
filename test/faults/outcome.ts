/** What became of a landing: it landed once, and nothing is lost, doubled or left. */
import { listReservations } from "../../db/reservations.js";
import { check } from "../checkers/index.js";
import type { Story } from "../scenarios/story.js";
import type { HolderInbox } from "./holder-inbox.js";

/** What the story leaves when nothing was lost and nothing happened twice. */
export interface Expected {
  readonly armings: number;
  readonly disarmings: number;
  readonly queueEntries: number;
  /** Times it left the queue without a merge. */
  readonly removals: number;
  /** Times it was put into the queue again by yoke itself. */
  readonly reentries: number;
  readonly episodes: number;
  /** Keys of the notices, without their item. */
  readonly notices: readonly string[];
}

export interface Aftermath {
  readonly story: Story;
  readonly item: string;
  /** The candidate. */
  readonly commit: string;
  readonly inbox: HolderInbox;
  readonly expected: Expected;
}

/** What the functions answer, as far as it is looked at. */
export interface ItemDetail {
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
    ...(await onReservations(after)),
    ...toldOnce(after),
    ...(await checked(after)),
  ];
}

function expectCount(what: string, seen: number, wanted = 1): string[] {
  return seen === wanted ? [] : [`${seen} ${what}, not ${wanted}`];
}

/** GitHub's own timeline: whatever was sent, it had one effect. */
function onGithub({ story, commit, expected }: Aftermath): string[] {
  const mine = story.simulator.world
    .pullRequests(story.repository)
    .filter(({ headSha }) => headSha === commit);
  const [pullRequest] = mine;
  const times = (type: string) =>
    pullRequest?.timeline.filter((event) => event.type === type).length ?? 0;
  return [
    ...expectCount("pull requests of the candidate", mine.length),
    ...(pullRequest?.state === "MERGED" ? [] : [`the pull request is ${pullRequest?.state}`]),
    ...expectCount("armings", times("AutoMergeEnabledEvent"), expected.armings),
    ...expectCount("disarmings", times("AutoMergeDisabledEvent"), expected.disarmings),
    ...expectCount("queue entries", times("AddedToMergeQueueEvent"), expected.queueEntries),
    ...expectCount(
      "removals from the queue",
      times("RemovedFromMergeQueueEvent") - times("MergedEvent"),
      expected.removals,
    ),
    ...expectCount("merges", times("MergedEvent")),
  ];
}

/** Automatic re-entries are reserved, and each is on record once (A7.4). */
async function onReservations({ story, item, expected }: Aftermath): Promise<string[]> {
  const all = await listReservations(story.context.db, { item });
  const seen = all.filter(({ key }) => key.includes(":reentry:"));
  const completed = seen.filter(({ state }) => state === "completed");
  // One that left no trace was asked for again: only the last one took effect.
  const last = seen.at(-1);
  return [
    ...expectCount("re-entries", completed.length, expected.reentries),
    ...(last === undefined || last.state === "completed" ? [] : [`${last.key} is ${last.state}`]),
    ...seen
      .filter(({ state }) => state === "reserved")
      .map(({ key, state }) => `${key} is ${state}`),
  ];
}

async function onRecord({ story, item, expected }: Aftermath): Promise<string[]> {
  const detail = await story.ok<ItemDetail>("items.detail.get", { item });
  const { receipts, landing } = detail.merge_queue;
  return [
    ...(detail.item.status === "landed" ? [] : [`the item is ${detail.item.status}`]),
    ...(landing?.phase === "closed_out" ? [] : [`the landing is ${landing?.phase}`]),
    ...expectCount("episodes", landing?.episode ?? 0, expected.episodes),
    ...expectCount("receipts", receipts.length),
    ...(receipts[0]?.closeOut?.result === "tea is sold" ? [] : ["the receipt is not complete"]),
  ];
}

/** The holder acts once on a key: a repeat under the same key is no second notice. */
function toldOnce({ item, inbox, expected }: Aftermath): string[] {
  const keys = [...new Set(inbox.received)].join();
  const wanted = expected.notices.map((key) => `${item}/${key}`).join();
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
