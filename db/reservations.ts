/** Reservations: reserve, send, complete (design.md "Effects"). */
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Reservation, ReservationState } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { reservations } from "./schema.js";

export type ReserveAnswer =
  { readonly reserved: true } | { readonly reserved: false; readonly existing: Reservation };

/**
 * Reserves a request before it leaves the machine. Of any number that ask for a key one may send; the others are told
 * what is known of it. A released key (nothing was done under it, A9.3) can be reserved again.
 */
export async function reserve(
  executor: Executor,
  ask: {
    readonly key: string;
    readonly item: string;
    readonly kind: string;
    readonly detail: string;
    readonly at: string;
  },
): Promise<ReserveAnswer> {
  const { at, ...given } = ask;
  const fresh = { ...given, state: "reserved" as const, reservedAt: at, settledAt: null };
  const [mine] = await executor
    .insert(reservations)
    .values(fresh)
    .onConflictDoUpdate({
      target: reservations.key,
      set: fresh,
      setWhere: eq(reservations.state, "released"),
    })
    .returning();
  if (mine !== undefined) return { reserved: true };
  const existing = await findReservation(executor, ask);
  return { reserved: false, existing: only(existing === null ? [] : [existing], ask.key) };
}

/**
 * Says what became of a reserved request. A reply that was lost (`uncertain`) may be settled later by what was read;
 * `completed` and `released` stay. The stored reservation comes back; an unknown key throws.
 */
export async function settle(
  executor: Executor,
  ask: {
    readonly key: string;
    readonly state: Exclude<ReservationState, "reserved">;
    readonly detail?: string | undefined;
    readonly at: string;
  },
): Promise<Reservation> {
  const { key, state, detail, at } = ask;
  await executor
    .update(reservations)
    .set({ state, settledAt: at, ...(detail === undefined ? {} : { detail }) })
    .where(and(eq(reservations.key, key), inArray(reservations.state, ["reserved", "uncertain"])));
  const stored = await findReservation(executor, { key });
  return only(stored === null ? [] : [stored], `reservation ${key}`);
}

export async function findReservation(
  executor: Executor,
  ask: { readonly key: string },
): Promise<Reservation | null> {
  return first(await executor.select().from(reservations).where(eq(reservations.key, ask.key)));
}

/** In the order they were reserved. */
export async function listReservations(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Reservation[]> {
  return executor
    .select()
    .from(reservations)
    .where(eq(reservations.item, ask.item))
    .orderBy(asc(reservations.reservedAt), asc(reservations.key));
}
