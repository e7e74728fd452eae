/** A hold (A6.2): let go of the pull request, confirm by reading, and wait without a notice. */
import { hasEnded } from "../../src/core/landing/attempt.js";
import { refuse } from "../../src/core/refusals.js";
import type { HoldAnswer } from "../names.js";
import { disarming, type Journal } from "./journal.js";

export async function answerHold(journal: Journal): Promise<HoldAnswer> {
  const { pullRequest, item } = journal.state;
  if (pullRequest === null || hasEnded(journal.state)) {
    return {
      outcome: "refused",
      refusals: [
        refuse("landing_not_open", `${item} has no landing that could be held.`, { item }),
      ],
    };
  }
  const refused = (code: "landing_not_open" | "hold_unconfirmed", message: string): HoldAnswer => ({
    outcome: "refused",
    refusals: [refuse(code, message, { item })],
  });
  const { ok, why, observation } = await disarming(journal.project, pullRequest.nodeId);
  if (observation !== null && observation.state !== "OPEN") {
    await journal.take({ type: "observed", observation });
    return refused(
      "landing_not_open",
      `Pull request ${pullRequest.number} is ${observation.state}.`,
    );
  }
  if (!ok) {
    return refused(
      "hold_unconfirmed",
      `Pull request ${pullRequest.number} could not be confirmed as let go: ${why}`,
    );
  }
  await journal.take({ type: "held", at: new Date(Date.now()).toISOString() });
  return { outcome: "held", state: journal.state, confirmed: true };
}
