/** Governed re-entry recovers required checks that were cancelled or never started (A8.1). */
import { ActivityFailure, patched, proxyActivities } from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { mayRecover } from "../../src/core/recovery/recover.js";
import type { MergeAnswer } from "../names.js";
import { failureMessage, type Journal } from "./journal.js";

const reruns = proxyActivities<Activities>(profiles.rerun);

type Pending = Extract<MergeAnswer, { outcome: "landing_pending" }>;

/**
 * Looks after the checks of a landing that is armed and not in the queue; sends no arming request. `armedNow`: this
 * very entry armed it. What cannot be read leaves the landing as pending as it is.
 */
export async function recover(
  journal: Journal,
  pending: Pending,
  armedNow: boolean,
): Promise<MergeAnswer> {
  const { item, candidate, pullRequest, lastObservation, gateBranch, episode } = journal.state;
  if (candidate === null || pullRequest === null || lastObservation === null) return pending;
  if (!mayRecover(lastObservation, armedNow, episode) || !patched("recover-checks")) return pending;
  try {
    const { checks, refusals } = await reruns.recoverChecks({
      project: journal.project,
      item,
      pullRequest: pullRequest.number,
      candidate: candidate.commit,
      gateBranch,
    });
    return refusals.length > 0 ? { outcome: "refused", refusals } : { ...pending, checks };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return {
      ...pending,
      why: `${pending.why}; its required checks could not be read: ${failureMessage(error)}`,
    };
  }
}
