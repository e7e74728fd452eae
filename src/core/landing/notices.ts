/** What the holder is told, and how often: one notice of each kind in an episode (A6.1). */
import type {
  LandingEffect,
  LandingState,
  NoticeDraft,
  NoticeKind,
  Observation,
  QueueConflict,
  Stop,
} from "./model.js";
import { holdCommand, mergeCommand } from "./stop-words.js";

/** State and effects of telling the holder once: a second notice of this kind in this episode is not sent. */
export function tellOnce(
  state: LandingState,
  draft: Omit<NoticeDraft, "key" | "episode">,
): { readonly state: LandingState; readonly effects: readonly LandingEffect[] } {
  const mark = `${state.episode}:${draft.kind}`;
  if (state.noticed.includes(mark)) return { state, effects: [] };
  const notice = { ...draft, key: noticeKey(state, draft.kind), episode: state.episode };
  return {
    state: { ...state, noticed: [...state.noticed, mark] },
    effects: [{ type: "notice", notice }],
  };
}

/** `<item>/<episode>/<kind>`: the idempotency key of a notice. */
export function noticeKey(state: LandingState, kind: NoticeKind): string {
  return `${state.item}/${state.episode}/${kind}`;
}

/** A5.1, A11.1: the worker enters the same command again. */
export function landedNotice(
  state: LandingState,
  seen: Observation,
  mergeCommit: string,
): Omit<NoticeDraft, "key" | "episode"> {
  const { item, candidate, gateBranch } = state;
  const remarks = [
    ...(candidate !== null && candidate.commit !== seen.head
      ? [`GitHub shows head ${seen.head}; the verified candidate is ${candidate.commit}.`]
      : []),
    ...(seen.baseBranch === gateBranch
      ? []
      : [`It merged into \`${seen.baseBranch}\`; the gate branch is \`${gateBranch}\`.`]),
  ];
  return {
    kind: "landed",
    title: `${item} landed`,
    body: [
      `Pull request ${seen.pullRequest} (${seen.url}) merged into \`${seen.baseBranch}\` as ${mergeCommit}.`,
      ...remarks,
    ].join(" "),
    next: `Run \`${mergeCommand(item)}\` to prove the landing, complete its receipt and clean the lane. Give --result and --verification again only if they changed.`,
    reason: null,
    failedChecks: [],
  };
}

/** A5.3, A6.2: names the hold command first when GitHub may still hold the pull request. */
export function stoppedNotice(
  state: LandingState,
  stop: Stop,
): Omit<NoticeDraft, "key" | "episode"> {
  return {
    kind: "stopped",
    title: `${state.item} stopped: ${stop.reason.replaceAll("_", " ")}`,
    body: stop.message,
    next: stop.next,
    reason: stop.reason,
    failedChecks: stop.failedChecks,
  };
}

/** A5.5, A7.1: asks nothing; shared files are told as an overlap, never as a proof. */
export function queueConflictNotice(
  state: LandingState,
  conflict: QueueConflict,
): Omit<NoticeDraft, "key" | "episode"> {
  const ahead = conflict.ahead.map((number) => `#${number}`).join(", ");
  const files = conflict.sharedFiles.join(", ");
  return {
    kind: "queue_conflict",
    title: `${state.item} waits for the entries ahead of it`,
    body: [
      `Pull request ${state.pullRequest?.number ?? 0} merges into its base, but not behind the entries ahead of it${ahead === "" ? "" : ` (${ahead})`}.`,
      ...(files === ""
        ? []
        : [`Both sides change ${files}; that may be where they overlap, it proves no conflict.`]),
      "yoke queues the unchanged head again when they have left.",
      `\`${holdCommand(state.item)}\` would switch that off.`,
    ].join(" "),
    next: null,
    reason: null,
    failedChecks: [],
  };
}
