/** Arming (A1.3): choose the call by the state read, send it once, read it back. */
import { proxyActivities, sleep } from "@temporalio/workflow";
import type { Activities, PreflightPassed } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import type { ArmCall } from "../../activities/pull-requests.js";
import { chooseArming, isHeld } from "../../src/core/landing/arming.js";
import type { Candidate, Observation } from "../../src/core/landing/model.js";
import { refuse, type Refusal } from "../../src/core/refusals.js";
import type { Journal } from "./journal.js";

const once = proxyActivities<Activities>(profiles.githubWrite);

/** Readings, a second apart, before "not computed yet" is an answer (cases A12, A13). */
const readings = 5;
/** Arming requests of one governed arming; each is another reservation and follows a reading that found no effect. */
const sends = 4;

export type Armed =
  { readonly armed: true } | { readonly armed: false; readonly refusals: readonly Refusal[] };

/** Opens the lane's pull request, unless the preflight found it. */
export async function openPullRequest(
  journal: Journal,
  passed: PreflightPassed,
): Promise<Observation | readonly Refusal[]> {
  if (passed.observation !== null) return passed.observation;
  let refusal: Refusal | null = null;
  for (let turn = 0; turn < 4; turn += 1) {
    if (turn > 0) await sleep(1000);
    const answer = await once.openPullRequest({
      project: journal.project,
      repositoryNodeId: passed.repositoryNodeId,
      headBranch: passed.candidate.branch,
      gateBranch: journal.state.gateBranch,
      title: passed.title,
      body: passed.body,
      mayExist: turn > 0,
    });
    if (answer.opened) return answer.observation;
    refusal = answer.refusal;
    if (!answer.retry) break;
  }
  return refusal === null ? [] : [refusal];
}

/** A branch without a queue (A12.3): nothing is asked of GitHub before the pull request is ready. */
export async function takeDirectRoute(
  journal: Journal,
  candidate: Candidate,
  observation: Observation,
): Promise<void> {
  await journal.boundary(observation);
  await journal.take({ type: "armed", observation, candidate, certain: true, direct: true });
}

/** Arms the candidate's pull request. The episode begins with the fact this gives to the decision (A6.1). */
export async function arm(
  journal: Journal,
  candidate: Candidate,
  opened: Observation,
): Promise<Armed> {
  const episode = journal.state.episode + 1;
  let observation = opened;
  let forced: ArmCall | null = null;
  let uncertain: string | null = null;

  const refused = (...refusals: Refusal[]): Armed => ({ armed: false, refusals });
  const begin = async (certain: boolean): Promise<Armed> => {
    await journal.take({ type: "armed", observation, candidate, certain });
    return { armed: true };
  };

  // Merged while nobody was looking: nothing is sent, and the decision stamps it.
  if (observation.state === "MERGED") return begin(true);
  for (let send = 1; send <= sends; send += 1) {
    let choice = chooseArming(observation, candidate);
    for (let reading = 1; choice.do === "read_again" && reading < readings; reading += 1) {
      await sleep(1000);
      observation = (await journal.read(observation.nodeId)) ?? observation;
      choice = chooseArming(observation, candidate);
    }
    if (choice.do === "already") return begin(true);
    if (choice.do === "refuse") return refused(...choice.refusals);
    if (choice.do === "read_again") return refused(refuse("mergeability_not_computed", choice.why));

    const call: ArmCall = forced ?? choice.do;
    forced = null;
    const outcome = await once.armPullRequest({
      project: journal.project,
      item: journal.state.item,
      key: `arm:${journal.state.item}:${episode}:${send}`,
      call,
      nodeId: observation.nodeId,
      expectedHead: candidate.commit,
    });
    switch (outcome.outcome) {
      case "not_sent":
        if (send === sends) return refused(outcome.refusal);
        await sleep(Math.min(outcome.retryAfterMs, 60_000));
        break;
      case "refused":
        // The two calls fail on opposite sides (github-facts 4.5): the other one is right, once.
        if (outcome.meaning === "already_clean" && call === "enable_auto_merge") forced = "enqueue";
        else if (outcome.meaning === "not_ready" && call === "enqueue")
          forced = "enable_auto_merge";
        else if (outcome.meaning !== "already_queued") return refused(outcome.refusal);
        break;
      case "accepted":
      case "uncertain":
        uncertain = outcome.outcome === "uncertain" ? outcome.why : null;
        break;
    }
    if (outcome.outcome === "accepted" && outcome.observation !== null) {
      observation = outcome.observation;
      if (isHeld(observation)) return begin(true);
    }
    const waits = outcome.outcome === "accepted" || outcome.outcome === "uncertain";
    observation =
      (await journal.readUntil(observation.nodeId, waits ? 3 : 1, isHeld)) ?? observation;
    if (isHeld(observation)) return begin(true);
    // Accepted but not visible yet: reads lag writes (github-facts 4.24). The episode is on; upkeep decides.
    if (outcome.outcome === "accepted") return begin(false);
  }
  if (uncertain === null)
    return refused(refuse("arming_refused", "GitHub refused both ways to queue the pull request."));
  await begin(false);
  return refused(
    refuse("arming_uncertain", `The reply to the arming request was lost: ${uncertain}`, {
      item: journal.state.item,
    }),
  );
}
