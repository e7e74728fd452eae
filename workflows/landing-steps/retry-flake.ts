/** `--retry-flake`: one retry of a failed merge train, claimed before arming and given back when it is refused (A9). */
import { ActivityFailure, proxyActivities } from "@temporalio/workflow";
import type { Activities, PreflightPassed } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { claimable } from "../../src/core/recovery/flake.js";
import { refuse, type Refusal } from "../../src/core/refusals.js";
import type { MergeRequest } from "../names.js";
import type { Armed } from "./arm.js";
import { failureMessage, type Journal } from "./journal.js";

const database = proxyActivities<Activities>(profiles.database);
const release = proxyActivities<Activities>(profiles.release);

/** The claim's reservation, null when none was asked for, or why it is refused. */
export async function claimRetry(
  journal: Journal,
  request: MergeRequest,
  { candidate, gateHead }: PreflightPassed,
): Promise<{ readonly key: string } | Refusal | null> {
  const { retryFlake = null, item, session } = request;
  if (retryFlake === null) return null;
  const checked = claimable(journal.state, retryFlake);
  if ("code" in checked) return checked;
  const answer = await database.claimFlakeRetry({
    ...checked,
    project: journal.project,
    item,
    session,
    pullRequest: journal.state.pullRequest?.number ?? 0,
    head: candidate.commit,
    base: gateHead ?? "-",
  });
  return answer.claimed ? answer : answer.refusal;
}

/** Without a claim, what the arming said. An accepted or uncertain request keeps the claim spent; a refused one gives it back. Answers what to say. */
export async function settleRetry(
  item: string,
  claim: { readonly key: string } | null,
  armed: Armed,
): Promise<readonly Refusal[]> {
  if (claim === null) return armed.armed ? [] : armed.refusals;
  const { key } = claim;
  if (armed.armed) {
    await database.settleFlakeRetry({ key, state: "completed" });
    return [];
  }
  const { refusals } = armed;
  if (refusals.some(({ code }) => code === "arming_uncertain")) {
    await database.settleFlakeRetry({ key, state: "uncertain" });
    return refusals;
  }
  try {
    await release.settleFlakeRetry({ key, state: "released" });
    return refusals;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const message = `The flake retry ${key} could not be released: ${failureMessage(error)}.`;
    return [...refusals, refuse("flake_release_failed", message, { item, reservation: key })];
  }
}
