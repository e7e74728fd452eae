/** Sessions: who works, and how to wake them. */
import { and, asc, eq } from "drizzle-orm";
import type { Session } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { sessions } from "./schema.js";

export type NewSession = Omit<Session, "state" | "registeredAt" | "endedAt"> & {
  readonly at: string;
};

/**
 * Registers a session, or registers it again (after a restart, with another wake route): it is active from then on,
 * and keeps the time of its first registration. Violates `sessions_steering_seat_unique` when another active session
 * has the project's steering seat, `sessions_steering_has_project` for a seat without a project.
 */
export async function registerSession(executor: Executor, session: NewSession): Promise<Session> {
  const { at, id, ...given } = session;
  const rows = await executor
    .insert(sessions)
    .values({ id, ...given, state: "active", registeredAt: at })
    .onConflictDoUpdate({
      target: sessions.id,
      set: { ...given, state: "active", endedAt: null },
    })
    .returning();
  return only(rows, `session ${id}`);
}

export async function findSession(
  executor: Executor,
  ask: { readonly id: string },
): Promise<Session | null> {
  return first(await executor.select().from(sessions).where(eq(sessions.id, ask.id)));
}

/** In order of registration; ended ones too. */
export async function listSessions(
  executor: Executor,
  ask: { readonly project?: string | undefined } = {},
): Promise<Session[]> {
  return executor
    .select()
    .from(sessions)
    .where(ask.project === undefined ? undefined : eq(sessions.project, ask.project))
    .orderBy(asc(sessions.registeredAt), asc(sessions.id));
}

/** Null when there is no such session. A repeat keeps the first end. Its claims stay, for restaffing (A6.3). */
export async function endSession(
  executor: Executor,
  ask: { readonly id: string; readonly at: string },
): Promise<Session | null> {
  await executor
    .update(sessions)
    .set({ state: "ended", endedAt: ask.at })
    .where(and(eq(sessions.id, ask.id), eq(sessions.state, "active")));
  return findSession(executor, ask);
}

/** The active session in the project's steering seat (A6.3). */
export async function findSteeringSeat(
  executor: Executor,
  ask: { readonly project: string },
): Promise<Session | null> {
  return first(
    await executor
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.project, ask.project),
          eq(sessions.steering, true),
          eq(sessions.state, "active"),
        ),
      ),
  );
}
