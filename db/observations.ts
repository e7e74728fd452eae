/** The side of a landing record that GitHub speaks for. */
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Observation } from "../src/core/landing/model.js";
import { observedFacts } from "../src/core/landing/observation.js";
import type { Executor } from "./client.js";
import { jsonText } from "./columns.js";

/** One reading of an item's landing; an item's pull request comes once in a call. */
export interface SeenObservation {
  readonly item: string;
  readonly observation: Observation;
}

/** SHA-256, in hex, of what an observation says, less the times of the reading. */
export function observationDigest(observation: Observation): string {
  return createHash("sha256").update(observedFacts(observation)).digest("hex");
}

/**
 * Stores readings, all in one statement; the items whose record changed come back. A record changes only when the
 * reading is of its pull request, says something else, and is not older (A4.8). GitHub's clock has whole seconds, so of
 * two readings of one second the one that came last counts, unless the pull request's own `updatedAt` says otherwise.
 * Readings without news write nothing: how fresh a record is, its project's `refreshedAt` says (A4.2).
 */
export async function storeObservations(
  executor: Executor,
  ask: { readonly observations: readonly SeenObservation[]; readonly at: string },
): Promise<{ stored: string[] }> {
  if (ask.observations.length === 0) return { stored: [] };
  const seen = ask.observations.map(({ item, observation }) => ({
    item,
    observation,
    digest: observationDigest(observation),
    pull_request: observation.pullRequest,
    read_at: observation.readAt,
    updated_at: observation.updatedAt,
  }));
  const { rows } = await executor.execute<{ item: string }>(sql`
    with seen as (
      select * from jsonb_to_recordset(${jsonText(seen)}::jsonb) as given(
        item text, observation jsonb, digest text, pull_request integer,
        read_at timestamptz, updated_at timestamptz
      )
    ), stored as (
    update landings set
      observation = seen.observation,
      observed_at = seen.read_at,
      observation_stored_at = ${ask.at}::timestamptz,
      observed_digest = seen.digest
    from seen
    where landings.item = seen.item
      and landings.pull_request = seen.pull_request
      and landings.observed_digest is distinct from seen.digest
      and (
        landings.observed_at is null
        or (landings.observation ->> 'pullRequest')::integer <> seen.pull_request
        or (seen.read_at, seen.updated_at)
          >= (landings.observed_at, (landings.observation ->> 'updatedAt')::timestamptz)
      )
    returning landings.item, landings.attempt, seen.observation
    ), attempts as (
      update merge_queue_landing_attempts as attempt
      set enqueued_at = (stored.observation #>> '{queue,entry,enqueuedAt}')::timestamptz
      from stored
      where attempt.item = stored.item and attempt.pull_request = stored.attempt
        and attempt.closed_at is null
    )
    select item from stored
  `);
  return { stored: rows.map(({ item }) => item) };
}
