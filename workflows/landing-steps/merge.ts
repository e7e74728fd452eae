/** The governed, re-entrant merge request (A1.1): arm, report, or close out, as the durable landing says. */
import { ActivityFailure, patched, proxyActivities, workflowInfo } from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { chooseArming } from "../../src/core/landing/arming.js";
import { hasEnded } from "../../src/core/landing/attempt.js";
import { landsFrom } from "../../src/core/landing/landings-of-item.js";
import type { LandingState } from "../../src/core/landing/model.js";
import type { Receipt } from "../../src/core/records.js";
import { refuse } from "../../src/core/refusals.js";
import type { LaneRemoval } from "../../src/git/port.js";
import { taskQueue, type MergeAnswer, type MergeRequest } from "../names.js";
import { arm, openPullRequest, takeDirectRoute } from "./arm.js";
import { cleanUp, closeOut } from "./close-out.js";
import { failureMessage, type Journal } from "./journal.js";
import { recover } from "./recover.js";
import { claimRetry, settleRetry } from "./retry-flake.js";
import { carriedFrom, loadLanding } from "./record.js";
import { landsAgain, nothingToAdd, openRelanding } from "./reland.js";

const reads = proxyActivities<Activities>(profiles.githubRead);

export async function answerMerge(journal: Journal, request: MergeRequest): Promise<MergeAnswer> {
  const { episode } = journal.state;
  try {
    const answered = await answer(journal, request);
    if (answered.outcome !== "landing_pending" || request.dryRun === true) return answered;
    return await recover(journal, answered, journal.state.episode !== episode);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return {
      outcome: "refused",
      refusals: [refuse("github_unavailable", failureMessage(error), { item: request.item })],
    };
  }
}

async function answer(journal: Journal, request: MergeRequest): Promise<MergeAnswer> {
  if (request.dryRun !== true) {
    // Kept from the arming entry: re-entry needs them only if they changed (A1.6).
    journal.result = request.result ?? journal.result;
    journal.verification = request.verification ?? journal.verification;
    await takeUpAgain(journal);
    await lookFirst(journal);
  }
  const settled = await settledAnswer(journal, request);
  if (settled !== null) return settled;

  const again = landsAgain(journal.state);
  if (again) {
    const hostQueue = taskQueue.host(request.host, workflowInfo().taskQueue);
    const closed = await nothingToAdd(journal, request, hostQueue);
    if (closed !== null) return closed;
  }
  const recorded = recordedPullRequest(journal.state, request);
  const checked = await reads.preflightMerge(request, recorded);
  if (!checked.passed) return { outcome: "refused", refusals: checked.refusals };
  if (request.dryRun === true && checked.route === "direct") {
    return { outcome: "would_arm", call: "merge_directly", candidate: checked.candidate };
  }
  if (request.dryRun === true) {
    const choice =
      checked.observation === null ? null : chooseArming(checked.observation, checked.candidate);
    if (choice?.do === "refuse") return { outcome: "refused", refusals: choice.refusals };
    if (choice?.do === "read_again") {
      return {
        outcome: "refused",
        refusals: [refuse("mergeability_not_computed", choice.why, { item: request.item })],
      };
    }
    return {
      outcome: "would_arm",
      call: choice?.do ?? "open_pull_request",
      candidate: checked.candidate,
    };
  }

  const opened = await openPullRequest(journal, checked);
  if ("length" in opened) return { outcome: "refused", refusals: opened };
  // The merge boundary: the pull request is on the record before anything is armed (A1.3).
  if (again) {
    const relanding = await openRelanding(journal, opened);
    if (relanding !== null) return relanding;
  }
  if (checked.route === "direct") {
    await takeDirectRoute(journal, checked.candidate, opened);
    return (await settledAnswer(journal, request)) ?? pending(journal);
  }
  await journal.boundary(opened);
  const claim = await claimRetry(journal, request, checked);
  if (claim !== null && "code" in claim) return { outcome: "refused", refusals: [claim] };
  const armed = await arm(journal, checked.candidate, opened);
  const refusals = await settleRetry(request.item, claim, armed);
  if (!armed.armed) return { outcome: "refused", refusals };
  return (await settledAnswer(journal, request)) ?? pending(journal);
}

/** The pull request to look for by its number: the recorded one while it is of the lane that is to land. */
function recordedPullRequest(state: LandingState, { lane }: MergeRequest): number | null {
  const known = landsFrom(state);
  const other = known !== null && lane !== null && lane.branch !== known;
  const over = state.phase === "closed" || state.landed !== null;
  return other || over ? null : (state.pullRequest?.number ?? null);
}

/** An attempt that ended may have been opened again, by a request that the item's landing passed on (A10.1). */
async function takeUpAgain(journal: Journal): Promise<void> {
  const { phase, item, attempt } = journal.state;
  if (phase !== "closed" || attempt === undefined) return;
  journal.takeOver(carriedFrom(await loadLanding({ item, attempt }), journal.state));
}

/** Unless the stored record says landed, GitHub is read again, so a record written just before the merge holds nothing up (A4.4). */
async function lookFirst(journal: Journal): Promise<void> {
  const { pullRequest } = journal.state;
  if (pullRequest === null || hasEnded(journal.state)) return;
  const observation = await journal.read(pullRequest.nodeId);
  if (observation !== null) await journal.take({ type: "observed", observation });
}

/** The answer of a landing that needs no arming; null: it is to be armed. */
async function settledAnswer(journal: Journal, request: MergeRequest): Promise<MergeAnswer | null> {
  const { phase, candidate, item } = journal.state;
  const other =
    request.lane !== null && candidate !== null && request.lane.head !== candidate.commit;
  const otherLane =
    request.lane !== null && candidate !== null && request.lane.branch !== candidate.branch;
  switch (phase) {
    case "pending":
    case "waiting_reentry":
      if (otherLane && patched("one-lane-at-a-time")) return ofOtherLane(journal);
      return other ? null : pending(journal);
    case "landed":
      // The lane's own landing is closed out by itself; another lane lands by an attempt (A12.1).
      if (otherLane && patched("another-lane-lands")) return null;
      if (request.dryRun === true && candidate !== null) {
        return { outcome: "would_arm", call: "close_out", candidate };
      }
      // What merged with a wrong tree never lands; another commit of the lane does, by an attempt (A16.1).
      if (other && journal.state.wrongTree !== undefined) return null;
      return closeOut(journal, request, taskQueue.host(request.host, workflowInfo().taskQueue));
    case "closed_out": {
      const { receipts } = await loadLanding(journal.state);
      const receipt = receipts.find(
        ({ mergeCommit }) => mergeCommit === journal.state.landed?.mergeCommit,
      );
      if (other && patched("item-lands-again")) return null;
      if (other || receipt === undefined) {
        return {
          outcome: "refused",
          refusals: [
            refuse(
              "item_already_landed",
              `${item} landed as ${journal.state.landed?.mergeCommit ?? "unknown"}.`,
              { item },
            ),
          ],
        };
      }
      const lane = await keptLane(journal, request, receipt);
      return { outcome: "landed", state: journal.state, receipt, lane };
    }
    case "unarmed":
    case "held":
    case "stopped":
    case "closed":
      return null;
  }
}

/** What GitHub may merge any moment is not given up for another lane (A10.2). */
function ofOtherLane({ state }: Journal): MergeAnswer {
  const { item, pullRequest, candidate } = state;
  const number = String(pullRequest?.number ?? 0);
  return {
    outcome: "refused",
    refusals: [
      refuse(
        "item_landing_open",
        `Pull request ${number} of lane ${candidate?.branch ?? "?"} is armed for ${item}.`,
        { item, pullRequest: number },
      ),
    ],
  };
}

/** A lane that close-out kept is looked at again, as its reason said; null: there is none to look at. */
async function keptLane(
  journal: Journal,
  request: MergeRequest,
  receipt: Receipt,
): Promise<LaneRemoval | null> {
  const { candidate } = journal.state;
  const carriedBy = receipt.closeOut?.carriedBy;
  const { item, lane, host } = request;
  if (lane === null || candidate === null || carriedBy === undefined) return null;
  if (request.dryRun === true || !patched("kept-lane-again")) return null;
  const hostQueue = taskQueue.host(host, workflowInfo().taskQueue);
  return cleanUp({ item, lane, candidate, carriedBy, hostQueue });
}

function pending(journal: Journal): MergeAnswer {
  return { outcome: "landing_pending", state: journal.state, why: journal.why };
}
