/** Re-land attempts: rows of `merge_queue_landing_attempts` (A10.1, A10.2). */
import { asc, eq } from "drizzle-orm";
import { attemptOf } from "../src/core/landing/attempt.js";
import type { AttemptEnd, LandingState } from "../src/core/landing/model.js";
import type { Executor } from "./client.js";
import { landingAttempts } from "./schema.js";

export interface LandingAttempt {
  readonly item: string;
  readonly pullRequest: number;
  readonly openedAt: string;
  readonly enqueuedAt: string | null;
  readonly outcome: "merged" | AttemptEnd["outcome"] | null;
  readonly reason: string | null;
  readonly closedAt: string | null;
}

/**
 * Writes the attempt's row from what its workflow says, with the landing record and in its transaction. Violates
 * `merge_queue_landing_attempts_one_open` while another attempt of the item is open (A10.2).
 */
export async function recordAttempt(
  executor: Executor,
  { state, at }: { readonly state: LandingState; readonly at: string },
): Promise<void> {
  const end = endOf(state);
  const told = {
    outcome: end?.outcome ?? null,
    reason: end?.reason ?? null,
    closedAt: end?.at ?? null,
    // While it is open, readings say since when it is in the queue (`storeObservations`).
    ...(end === null ? {} : { enqueuedAt: null }),
  };
  await executor
    .insert(landingAttempts)
    .values({ item: state.item, pullRequest: attemptOf(state), openedAt: at, ...told })
    .onConflictDoUpdate({
      target: [landingAttempts.item, landingAttempts.pullRequest],
      set: told,
    });
}

function endOf(state: LandingState):
  | (Omit<AttemptEnd, "outcome"> & {
      readonly outcome: NonNullable<LandingAttempt["outcome"]>;
    })
  | null {
  const { phase, landed, ended } = state;
  if (phase === "closed") return ended ?? null;
  if (landed === null) return null;
  return { outcome: "merged", reason: `merged as ${landed.mergeCommit}`, at: landed.mergedAt };
}

/** In the order they were opened. */
export async function listLandingAttempts(
  executor: Executor,
  ask: { readonly item: string },
): Promise<LandingAttempt[]> {
  return executor
    .select()
    .from(landingAttempts)
    .where(eq(landingAttempts.item, ask.item))
    .orderBy(asc(landingAttempts.openedAt), asc(landingAttempts.pullRequest));
}
