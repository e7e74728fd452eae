/** Landing an item that landed before (A10): from its receipt when there is nothing new, else by an attempt. */
import { proxyActivities } from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { attemptOf, openAttempt } from "../../src/core/landing/attempt.js";
import { decide } from "../../src/core/landing/decide.js";
import {
  defaultPolicy,
  type LandingState,
  type Observation,
} from "../../src/core/landing/model.js";
import { refuse, type Refusal } from "../../src/core/refusals.js";
import type { MergeAnswer, MergeRequest } from "../names.js";
import { cleanUp, prove } from "./close-out.js";
import type { Journal } from "./journal.js";

const database = proxyActivities<Activities>(profiles.database);

/** Whether a merge of this landing lands an item again: it is an attempt, or the item's landing was merged. */
export function landsAgain(state: LandingState): boolean {
  return attemptOf(state) > 0 || state.landed !== null;
}

/**
 * The answer for a lane whose head the fetched gate branch has already: the newest completed receipt, checked against
 * that branch, with the pull request that carried it (A10.8). Null when the lane has something to land.
 */
export async function nothingToAdd(
  journal: Journal,
  request: MergeRequest,
  hostQueue: string,
): Promise<MergeAnswer | null> {
  const { item, lane } = request;
  if (lane === null) return null;
  const refused = (refusal: Refusal): MergeAnswer => ({ outcome: "refused", refusals: [refusal] });
  const head = await prove(
    journal.project,
    request,
    { candidate: lane.head, mergeCommit: null },
    hostQueue,
  );
  if (!head.ok) {
    return head.refusal.code === "closeout_candidate_missing" ? null : refused(head.refusal);
  }
  const recorded = await database.recordedLanding({ item });
  if (recorded === null) {
    return refused(
      refuse(
        "merge_recorded_landing_missing",
        `${lane.head} is on the gate branch already, and ${item} has no landing that was closed out.`,
        { item },
      ),
    );
  }
  const { receipt, landing } = recorded;
  const carried = await prove(
    journal.project,
    request,
    { candidate: receipt.head, mergeCommit: receipt.mergeCommit },
    hostQueue,
  );
  if (!carried.ok) return refused(carried.refusal);
  if (request.dryRun === true) {
    const { branch } = lane;
    const candidate = {
      commit: lane.head,
      tree: lane.tree,
      branch: branch ?? "",
      qualification: "",
    };
    return { outcome: "would_arm", call: "close_out", candidate };
  }
  const removal =
    lane.branch === null
      ? null
      : await cleanUp({
          item,
          lane,
          candidate: { commit: lane.head, branch: lane.branch },
          carriedBy: head.proof.gateHead,
          hostQueue,
        });
  return { outcome: "landed", state: landing, receipt, lane: removal };
}

/**
 * Opens the attempt of this pull request, in place of the open one that this workflow is of (A10.1, A10.2). The
 * request goes on to the attempt's own workflow; null: that is this one.
 */
export async function openRelanding(
  journal: Journal,
  observation: Observation,
): Promise<MergeAnswer | null> {
  const { state } = journal;
  const { pullRequest, nodeId, url, readAt } = observation;
  if (attemptOf(state) === pullRequest && state.phase !== "closed") return null;
  const { project, item, gateBranch } = state;
  const supersedes = attemptOf(state) > 0 && state.landed === null && state.phase !== "closed";
  const decision = supersedes
    ? decide(state, { type: "superseded", by: pullRequest, at: readAt }, defaultPolicy)
    : null;
  const answer = await database.openAttempt({
    state: openAttempt({
      project,
      item,
      gateBranch,
      pullRequest: { number: pullRequest, nodeId, url },
      episode: state.episode,
    }),
    superseding:
      decision === null
        ? null
        : { state: decision.state, version: journal.version + 1, why: decision.why },
  });
  if (answer.opened && decision !== null) journal.supersede(decision);
  return { outcome: "reland", attempt: answer.opened ? pullRequest : answer.openPullRequest };
}
