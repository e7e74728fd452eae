/** Opening a re-land attempt (A10.1, A10.2). */
import { attemptOf, reopened } from "../src/core/landing/attempt.js";
import type { LandingState } from "../src/core/landing/model.js";
import { listLandingAttempts } from "./attempts.js";
import { inTransaction, type Executor } from "./client.js";
import { violated } from "./faults.js";
import { findLanding, saveLanding, type LandingUpdate } from "./landings.js";

export type AttemptOpened =
  { readonly opened: true } | { readonly opened: false; readonly openPullRequest: number };

/**
 * Opens an attempt, and closes the one that it supersedes, in one transaction. Key: item and pull request; one that is
 * open already stays as it is, and one that ended begins anew. While another attempt is open nothing changes, and its
 * pull request comes back.
 */
export async function openLandingAttempt(
  executor: Executor,
  ask: {
    readonly state: LandingState;
    readonly why: string;
    readonly superseding: LandingUpdate | null;
    readonly at: string;
  },
): Promise<AttemptOpened> {
  const { state, why, superseding, at } = ask;
  const { item } = state;
  const attempt = attemptOf(state);
  try {
    await inTransaction(executor, async (transaction) => {
      if (superseding !== null) await saveLanding(transaction, superseding);
      const known = await findLanding(transaction, { item, attempt });
      if (known === null) {
        await saveLanding(transaction, { state, version: 1, why, at });
      } else if (known.state.phase === "closed") {
        const anew = reopened(known.state, state.episode);
        await saveLanding(transaction, { state: anew, version: known.version + 1, why, at });
      }
    });
    return { opened: true };
  } catch (error) {
    if (violated(error) !== "merge_queue_landing_attempts_one_open") throw error;
    const open = (await listLandingAttempts(executor, { item })).find(
      ({ closedAt }) => closedAt === null,
    );
    // It was closed between the two statements: the caller asks again.
    if (open === undefined) throw error;
    return { opened: false, openPullRequest: open.pullRequest };
  }
}
