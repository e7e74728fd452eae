/**
 * Landing records: what a landing's workflow last said (`state`), and what GitHub last said (`observation`). Neither
 * goes back: the state by its version, the observation by GitHub's clock (A4.8).
 */
import { and, asc, count, eq, inArray, isNotNull, lt, notInArray, sql } from "drizzle-orm";
import type { LandingPhase, LandingState } from "../src/core/landing/model.js";
import type { LandingRecord } from "../src/core/records.js";
import { attemptOf, endedPhases } from "../src/core/landing/attempt.js";
import { recordAttempt } from "./attempts.js";
import { inTransaction, type Executor } from "./client.js";
import { storeObservations } from "./observations.js";
import { first } from "./rows.js";
import { landings } from "./schema.js";

export { storeObservations, type SeenObservation } from "./observations.js";

export const recordColumns = {
  item: landings.item,
  attempt: landings.attempt,
  project: landings.project,
  pullRequest: landings.pullRequest,
  nodeId: landings.nodeId,
  state: landings.state,
  version: landings.version,
  why: landings.why,
  stateAt: landings.stateAt,
  observation: landings.observation,
  observedAt: landings.observedAt,
  result: landings.result,
  verification: landings.verification,
};

export interface LandingUpdate {
  readonly state: LandingState;
  readonly version: number;
  /** Why the state is what it is, in words. */
  readonly why: string;
  readonly at: string;
  /** Null or missing keeps what was given before (A1.6). */
  readonly result?: string | null | undefined;
  readonly verification?: string | null | undefined;
}

/**
 * Stores the workflow's view. `saved` is false, and nothing changes, when the stored version is the same or newer. The
 * reading that the state was decided from is stored with it.
 */
export async function saveLanding(
  executor: Executor,
  update: LandingUpdate,
): Promise<{ saved: boolean }> {
  const { state, version, why, at } = update;
  const result = update.result ?? null;
  const verification = update.verification ?? null;
  return inTransaction(executor, async (transaction) => {
    const rows = await transaction
      .insert(landings)
      .values({
        item: state.item,
        attempt: attemptOf(state),
        project: state.project,
        state,
        version,
        why,
        stateAt: at,
        result,
        verification,
      })
      .onConflictDoUpdate({
        target: [landings.item, landings.attempt],
        set: {
          state,
          version,
          why,
          stateAt: at,
          result: sql`coalesce(excluded.result, ${landings.result})`,
          verification: sql`coalesce(excluded.verification, ${landings.verification})`,
        },
        setWhere: lt(landings.version, version),
      })
      .returning({ item: landings.item });
    if (rows.length === 0) return { saved: false };
    if (attemptOf(state) > 0) await recordAttempt(transaction, { state, at });
    const { item, lastObservation: observation } = state;
    if (observation !== null) {
      await storeObservations(transaction, { observations: [{ item, observation }], at });
    }
    return { saved: true };
  });
}

/** One landing of an item; without `attempt` its first (A10.1). */
export async function findLanding(
  executor: Executor,
  ask: { readonly item: string; readonly attempt?: number | undefined },
): Promise<LandingRecord | null> {
  return first(
    await executor
      .select(recordColumns)
      .from(landings)
      .where(and(eq(landings.item, ask.item), eq(landings.attempt, ask.attempt ?? 0))),
  );
}

/** The landings that upkeep reads (A4.1): a pull request is recorded, and GitHub was not seen to have merged it. */
export async function listOpenLandings(
  executor: Executor,
  ask: { readonly project: string },
): Promise<LandingRecord[]> {
  return executor
    .select(recordColumns)
    .from(landings)
    .where(
      and(
        eq(landings.project, ask.project),
        isNotNull(landings.pullRequest),
        notInArray(landings.phase, [...endedPhases]),
      ),
    )
    .orderBy(asc(landings.item), asc(landings.attempt));
}

/** All landings of a project, the finished ones too, or of all projects; by item, its attempts after its first. */
export async function listLandings(
  executor: Executor,
  ask: { readonly project?: string | undefined; readonly items?: readonly string[] | undefined },
): Promise<LandingRecord[]> {
  return executor
    .select(recordColumns)
    .from(landings)
    .where(
      and(
        ask.project === undefined ? undefined : eq(landings.project, ask.project),
        ask.items === undefined ? undefined : inArray(landings.item, [...ask.items]),
      ),
    )
    .orderBy(asc(landings.item), asc(landings.attempt));
}

/** Numbers of the pull requests that upkeep reads, ascending; of `numbers` those among them. */
export async function openPullRequests(
  executor: Executor,
  ask: { readonly project: string; readonly numbers?: readonly number[] | undefined },
): Promise<number[]> {
  if (ask.numbers?.length === 0) return [];
  const rows = await executor
    .selectDistinct({ number: landings.pullRequest })
    .from(landings)
    .where(
      and(
        eq(landings.project, ask.project),
        ask.numbers === undefined
          ? isNotNull(landings.pullRequest)
          : inArray(landings.pullRequest, [...ask.numbers]),
        notInArray(landings.phase, [...endedPhases]),
      ),
    )
    .orderBy(asc(landings.pullRequest));
  return rows.flatMap(({ number }) => (number === null ? [] : [number]));
}

/** How many landings are in each phase, over all projects. */
export async function countLandings(
  executor: Executor,
): Promise<{ phase: LandingPhase; landings: number }[]> {
  return executor
    .select({ phase: sql<LandingPhase>`${landings.phase}`, landings: count() })
    .from(landings)
    .groupBy(landings.phase);
}
