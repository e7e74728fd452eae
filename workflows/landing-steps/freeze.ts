/** A freeze of the project (A16.3): let go of the pull request and wait; armed again when the freeze ends. */
import type { FrozenBy } from "../../src/core/landing/model.js";
import { undecided } from "../../src/core/landing/readiness.js";
import { disarming, type Journal } from "./journal.js";

/** Readings before a head is queued again that GitHub has not decided about; upkeep asks again after them. */
const readings = 5;

/** What cannot be done now is asked for again by the next pass of upkeep. */
export async function answerFreeze(journal: Journal, frozen: FrozenBy | null): Promise<void> {
  const { pullRequest } = journal.state;
  if (pullRequest === null) return;
  await (frozen === null
    ? thaw(journal, pullRequest.nodeId)
    : letGo(journal, pullRequest.nodeId, frozen));
}

async function letGo(journal: Journal, nodeId: string, frozen: FrozenBy): Promise<void> {
  const { phase } = journal.state;
  if (phase !== "pending" && phase !== "waiting_reentry") return;
  const { ok, observation } = await disarming(journal.project, nodeId);
  if (observation !== null && observation.state !== "OPEN") {
    await journal.take({ type: "observed", observation });
  } else if (ok) {
    await journal.take({ type: "held", at: new Date(Date.now()).toISOString(), frozen });
  }
}

async function thaw(journal: Journal, nodeId: string): Promise<void> {
  const isFrozen = () => journal.state.phase === "held" && (journal.state.frozen ?? null) !== null;
  if (!isFrozen()) return;
  const seen = await journal.readUntil(nodeId, readings, (one) => !undecided(one));
  if (seen === null) return;
  await journal.take({ type: "observed", observation: seen });
  if (isFrozen() && !undecided(seen)) await journal.take({ type: "thawed" });
}
