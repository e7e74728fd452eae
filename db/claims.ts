/** Claims: which session holds an item. */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Claim } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first } from "./rows.js";
import { claims, items } from "./schema.js";

const columns = { item: claims.item, session: claims.session, claimedAt: claims.claimedAt };

export type ClaimAnswer =
  | { readonly claimed: true; readonly claim: Claim }
  | { readonly claimed: false; readonly holder: Claim };

/**
 * Claims an item for a session. Of any number that ask at once the database lets one in (`claims_active_unique`, case
 * D12); the others learn who holds it. The holder asking again is told its own claim. Violates
 * `claims_session_sessions_id_fk` for a session that was never registered.
 */
export async function takeClaim(
  executor: Executor,
  ask: { readonly item: string; readonly session: string; readonly at: string },
): Promise<ClaimAnswer> {
  for (;;) {
    const [taken] = await executor
      .insert(claims)
      .values({ item: ask.item, session: ask.session, claimedAt: ask.at })
      .onConflictDoNothing({ target: claims.item, where: isNull(claims.releasedAt) })
      .returning(columns);
    if (taken !== undefined) return { claimed: true, claim: taken };
    const holder = await findClaim(executor, ask);
    // Released between the two statements: it is free again, so ask again.
    if (holder === null) continue;
    return holder.session === ask.session
      ? { claimed: true, claim: holder }
      : { claimed: false, holder };
  }
}

/** Releases the claim when this session holds it; someone else's stays. */
export async function releaseClaim(
  executor: Executor,
  ask: { readonly item: string; readonly session: string; readonly at: string },
): Promise<{ released: boolean }> {
  const rows = await executor
    .update(claims)
    .set({ releasedAt: ask.at })
    .where(
      and(eq(claims.item, ask.item), eq(claims.session, ask.session), isNull(claims.releasedAt)),
    )
    .returning(columns);
  return { released: rows.length > 0 };
}

/** The item's active claim. */
export async function findClaim(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Claim | null> {
  return first(
    await executor
      .select(columns)
      .from(claims)
      .where(and(eq(claims.item, ask.item), isNull(claims.releasedAt))),
  );
}

/** Active claims, the oldest first. */
export async function listClaims(
  executor: Executor,
  ask: { readonly session?: string | undefined; readonly project?: string | undefined },
): Promise<Claim[]> {
  return executor
    .select(columns)
    .from(claims)
    .innerJoin(items, eq(items.key, claims.item))
    .where(
      and(
        isNull(claims.releasedAt),
        ask.session === undefined ? undefined : eq(claims.session, ask.session),
        ask.project === undefined ? undefined : eq(items.project, ask.project),
      ),
    )
    .orderBy(asc(claims.id));
}
