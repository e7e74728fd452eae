/**
 * Landing records: what a landing's workflow last said (`state`), and what GitHub last said (`observation`). Neither
 * goes back: the state by its version, the observation by GitHub's clock (A4.8).
 */
import { and, asc, eq, isNotNull, lt, notInArray, sql } from "drizzle-orm";
import type { LandingState } from "../src/core/landing/model.js";
import type { LandingRecord } from "../src/core/records.js";
import { inTransaction, type Executor } from "./client.js";
import { markSignalled, observationDigest, storeObservations } from "./observations.js";
import { first } from "./rows.js";
import { landings } from "./schema.js";

export {
  listUnsignalled,
  markSignalled,
  storeObservations,
  type SeenObservation,
} from "./observations.js";

export const recordColumns = {
  item: landings.item,
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
 * reading that the state was decided from is stored with it, and counts as signalled: the workflow has it.
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
        project: state.project,
        state,
        version,
        why,
        stateAt: at,
        result,
        verification,
      })
      .onConflictDoUpdate({
        target: landings.item,
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
    const { item, lastObservation: observation } = state;
    if (observation !== null) {
      await storeObservations(transaction, { observations: [{ item, observation }], at });
      await markSignalled(transaction, { item, digest: observationDigest(observation) });
    }
    return { saved: true };
  });
}

export async function findLanding(
  executor: Executor,
  ask: { readonly item: string },
): Promise<LandingRecord | null> {
  return first(
    await executor.select(recordColumns).from(landings).where(eq(landings.item, ask.item)),
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
        notInArray(landings.phase, ["landed", "closed_out"]),
      ),
    )
    .orderBy(asc(landings.item));
}
