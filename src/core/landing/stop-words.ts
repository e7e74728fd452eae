/** What a stop says: what was seen, and what the holder does about it. */
import { surelyBefore } from "./elapsed.js";
import type {
  FailedCheck,
  LandingState,
  Observation,
  StopDraft,
  StopEvidence,
  StopReason,
} from "./model.js";

/** The command that confirms that GitHub holds nothing (A6.2). */
export function holdCommand(item: string): string {
  return `yoke github merge-queue hold ${item}`;
}

/** The governed command that arms, retries and closes out (A1.1). */
export function mergeCommand(item: string): string {
  return `yoke merge item ${item}`;
}

/**
 * The stop `reason` in words. `evidence` is null when GitHub still held the pull request, so that there was no base
 * branch to ask and no removal to read.
 */
export function draftStop(
  reason: StopReason,
  state: LandingState,
  seen: Observation,
  evidence: StopEvidence | null,
): StopDraft {
  const failedChecks = evidence?.failedChecks ?? [];
  const { message, next } = words[reason]({
    state,
    seen,
    removal: removal(state, evidence),
    failedChecks,
    notStarted: evidence?.notStarted ?? [],
  });
  return { reason, message, next, failedChecks };
}

interface Seen {
  readonly state: LandingState;
  readonly seen: Observation;
  /** GitHub's own words about the removal, as a clause; empty when none of this episode was read. */
  readonly removal: string;
  readonly failedChecks: readonly FailedCheck[];
  readonly notStarted: readonly string[];
}

/** Removal events are sticky (github-facts 4.23): one from before this arming says nothing about it. */
function removal(state: LandingState, evidence: StopEvidence | null): string {
  const event = evidence?.removal ?? null;
  const armedAt = state.armedAt ?? null;
  if (event === null || event.reason === null) return "";
  if (armedAt !== null && surelyBefore(event.at, armedAt)) return "";
  return ` GitHub gives the reason "${event.reason}" for the removal at ${event.at}.`;
}

const pr = ({ seen }: Seen): string => `Pull request ${seen.pullRequest}`;
const rerun = ({ state }: Seen): string => `run \`${mergeCommand(state.item)}\``;
const verified = ({ state }: Seen): string =>
  `verify it and record that with \`yoke verify record ${state.item}\``;
const rebase = (it: Seen, onto: string): string =>
  `Rebase the lane onto \`${onto}\` and push it with \`git push --force-with-lease\`; ${verified(it)}; then ${rerun(it)}.`;

/** Checks that no runner took are why a queue gives up (case A36); nothing when all had begun. */
function neverBegan({ notStarted }: Seen): string {
  return notStarted.length === 0
    ? ""
    : ` No runner had taken these required checks of its group: ${notStarted.join(", ")}.`;
}

/** What was only cancelled says nothing of the change; at its time limit it would end there again (A16.5). */
function afterChecks(it: Seen): string {
  const causes = it.failedChecks.map(({ cause }) => cause);
  if (causes.length === 0 || causes.some((cause) => cause === undefined || cause === "unknown")) {
    return `Open the failed checks. If the change is at fault, fix it and push; ${verified(it)}; then ${rerun(it)}.${flaky(it)}`;
  }
  return causes.includes("time_limit")
    ? `A job reached its own time limit: make it faster, or raise its \`timeout-minutes\`. Then ${rerun(it)}.`
    : `No check failed, they were cancelled: ${rerun(it)}. When it happens again, put the workflow's \`concurrency\` right, or its runners.`;
}

/** The one retry of a failed merge train (A9.1); a check of the head is no train. */
function flaky({ state, failedChecks }: Seen): string {
  return failedChecks.some(({ on }) => on === "group")
    ? ` If it cannot be, \`${mergeCommand(state.item)} --retry-flake 'TEST: why'\` tries the same commit once more.`
    : "";
}

function failedChecksText(it: Seen): string {
  const names = [...new Set(it.failedChecks.map(({ name }) => name))].join(", ");
  return `required checks that did not pass${names === "" ? "" : ` (${names})`}`;
}

const words: Readonly<
  Record<StopReason, (it: Seen) => { readonly message: string; readonly next: string }>
> = {
  left_the_queue: (it) => ({
    message: `${pr(it)} is open and no longer on its way: GitHub neither has it in the queue nor will merge it when it is ready, and \`${it.state.gateBranch}\` does not contain the candidate.${it.removal}${neverBegan(it)}${it.seen.queueEnabled ? "" : ` \`${it.state.gateBranch}\` has no merge queue now.`}`,
    next: `${it.notStarted.length === 0 ? "" : "If it waited for a runner, see that one is free for the checks named here. "}Look at the timeline of ${it.seen.url} to see who or what took it out, put that right, then ${rerun(it)}.`,
  }),
  checks_failed: (it) => ({
    message:
      (it.state.direct ?? null) === null
        ? `${pr(it)} left the queue with ${failedChecksText(it)}, and \`${it.state.gateBranch}\` does not contain the candidate.${it.removal}`
        : `${pr(it)} was not merged: it has ${failedChecksText(it)}.`,
    next: afterChecks(it),
  }),
  conflicts_with_base: (it) => ({
    message: `${pr(it)} conflicts with its base \`${it.seen.baseBranch}\`.`,
    next: rebase(it, it.seen.baseBranch),
  }),
  closed_unmerged: (it) => ({
    message: `${pr(it)} was closed without merging${it.seen.closedAt === null ? "" : ` at ${it.seen.closedAt}`}. Reopening it arms nothing.`,
    next: `If the change is still wanted, ${rerun(it)}: it opens another pull request and arms that.`,
  }),
  head_changed: (it) => ({
    message: `${pr(it)} was armed for ${it.state.candidate?.commit ?? "another commit"}, but its head is now ${it.seen.head}, which was not verified for this landing.`,
    next: `If ${it.seen.head} is to land, ${verified(it)}; if not, push the verified commit back. Then ${rerun(it)}.`,
  }),
  head_branch_deleted: (it) => ({
    message: `The head branch \`${it.seen.headBranch}\` of pull request ${it.seen.pullRequest} was deleted before it landed.`,
    next: `Push the lane's branch again with \`git push -u origin ${it.seen.headBranch}\`, then ${rerun(it)}.`,
  }),
  base_branch_gone: (it) => ({
    message: it.seen.baseBranchExists
      ? `${pr(it)} now merges into \`${it.seen.baseBranch}\`, not into the gate branch \`${it.state.gateBranch}\`: the branch was renamed or the pull request was given another base.`
      : `The base branch \`${it.seen.baseBranch}\` of pull request ${it.seen.pullRequest} is gone.`,
    next: `Give the pull request the base \`${it.state.gateBranch}\` on GitHub, or, if the gate branch was renamed, ask whoever runs yoke to add the project again with its new name. Then ${rerun(it)}.`,
  }),
  never_enqueued: (it) => ({
    message:
      it.seen.autoMerge === null
        ? `GitHub was asked to queue pull request ${it.seen.pullRequest}, but never showed merge-when-ready or a queue entry for it.${refusedWith(it)}${it.removal}`
        : `${pr(it)} was armed and had nothing left to wait for, but GitHub gave it no queue entry, not even after one explicit request.${refusedWith(it)}`,
    next: `See on GitHub whether \`${it.state.gateBranch}\` still has its merge queue and what its rules ask for, then ${rerun(it)}.`,
  }),
  queue_conflict_unresolved: (it) => {
    const before = `${pr(it)} could not be merged behind the entries ahead of it.`;
    const refused = it.state.reentryRefused ?? null;
    return refused === null
      ? {
          message: `${before} They have left and it was queued again, but GitHub shows no entry that can merge.`,
          next: `If \`${it.seen.baseBranch}\` moved: ${rebase(it, it.seen.baseBranch)} Otherwise ${rerun(it)}.`,
        }
      : {
          message: `${before} They have left, and GitHub refused to queue it again: ${refused.message}.`,
          next: `${refused.next} Then ${rerun(it)}.`,
        };
  },
  MergeTargetStale: (it) => ({
    message: `${pr(it)} was not merged: \`${it.state.gateBranch}\` moved while its checks ran, so the merge would be a tree that nobody verified.`,
    next: rebase(it, it.state.gateBranch),
  }),
  gate_has_queue: (it) => ({
    message: `${pr(it)} was not merged directly: \`${it.state.gateBranch}\` has a merge queue now.`,
    next: `Have the queue declared in \`.yoke/merge-queue.json\` on \`${it.state.gateBranch}\`. ${rebase(it, it.state.gateBranch)} It goes through the queue.`,
  }),
  merge_refused: (it) => ({
    message: `GitHub did not merge ${pr(it).toLowerCase()}, though it shows it as ready (${it.seen.mergeState})${(it.state.direct?.said ?? null) === null ? "" : `: ${it.state.direct?.said ?? ""}`}.`,
    next: `Look at ${it.seen.url} for what GitHub asks for, then ${rerun(it)}.`,
  }),
};

function refusedWith({ state }: Seen): string {
  const refused = state.enqueueRefused ?? null;
  return refused === null ? "" : ` It refused with: ${refused.replace(/\.$/, "")}.`;
}
