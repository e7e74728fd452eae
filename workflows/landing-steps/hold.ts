/** A hold (A6.2): let go of the pull request, confirm by reading, and wait without a notice. */
import { ActivityFailure, proxyActivities } from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { refuse } from "../../src/core/refusals.js";
import type { HoldAnswer } from "../names.js";
import { failureMessage, type Journal } from "./journal.js";

const writes = proxyActivities<Activities>({
  ...profiles.githubWrite,
  retry: { ...profiles.githubWrite.retry, maximumAttempts: 4 },
});

export async function answerHold(journal: Journal): Promise<HoldAnswer> {
  const { pullRequest, phase, item } = journal.state;
  if (pullRequest === null || phase === "landed" || phase === "closed_out") {
    return {
      outcome: "refused",
      refusals: [
        refuse("landing_not_open", `${item} has no landing that could be held.`, { item }),
      ],
    };
  }
  let why: string;
  try {
    const disarmed = await writes.disarmPullRequest({
      project: journal.project,
      nodeId: pullRequest.nodeId,
    });
    if (disarmed.observation !== null && disarmed.observation.state !== "OPEN") {
      await journal.take({ type: "observed", observation: disarmed.observation });
      return {
        outcome: "refused",
        refusals: [
          refuse(
            "landing_not_open",
            `Pull request ${pullRequest.number} is ${disarmed.observation.state}.`,
            { item },
          ),
        ],
      };
    }
    if (disarmed.ok) {
      await journal.take({ type: "held", at: new Date(Date.now()).toISOString() });
      return { outcome: "held", state: journal.state, confirmed: true };
    }
    why = disarmed.why;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    why = failureMessage(error);
  }
  return {
    outcome: "refused",
    refusals: [
      refuse(
        "hold_unconfirmed",
        `Pull request ${pullRequest.number} could not be confirmed as let go: ${why}`,
        { item },
      ),
    ],
  };
}
