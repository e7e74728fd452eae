/** Notices: what the holder of an item is told, each once. */
import {
  and,
  asc,
  count,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNull,
  ne,
  or,
  sql,
} from "drizzle-orm";
import type { NoticeDraft } from "../src/core/landing/model.js";
import type { Notice } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { claims, notices, sessions } from "./schema.js";

const {
  acknowledgedAt: _acknowledgedAt,
  failedAt: _failedAt,
  ...columns
} = getTableColumns(notices);

/** Records a notice. A repeat of its key changes nothing; the stored notice comes back (A6.1). */
export async function recordNotice(
  executor: Executor,
  ask: {
    readonly project: string;
    readonly item: string;
    readonly notice: NoticeDraft;
    readonly at: string;
  },
): Promise<Notice> {
  const { project, item, notice, at } = ask;
  await executor
    .insert(notices)
    .values({ ...notice, project, item, state: "pending", createdAt: at })
    .onConflictDoNothing({ target: notices.key });
  return only(await listNotices(executor, { key: notice.key }), `notice ${notice.key}`);
}

/** Whom it goes to (A6.3); null: there is nobody. One that was delivered keeps its recipient. */
export async function setRecipient(
  executor: Executor,
  ask: { readonly key: string; readonly session: string | null },
): Promise<void> {
  await executor.update(notices).set({ recipient: ask.session }).where(pending(ask.key));
}

/** A repeat, or a delivery after its acknowledgement, changes nothing. */
export async function markDelivered(
  executor: Executor,
  ask: { readonly key: string; readonly at: string },
): Promise<void> {
  await executor
    .update(notices)
    .set({
      state: "delivered",
      deliveredAt: ask.at,
      attempts: sql`${notices.attempts} + 1`,
      lastError: null,
    })
    .where(pending(ask.key));
}

/** Counts a failed attempt; the notice stays pending (A4.6). */
export async function markFailed(
  executor: Executor,
  ask: { readonly key: string; readonly error: string; readonly at: string },
): Promise<void> {
  await executor
    .update(notices)
    .set({ attempts: sql`${notices.attempts} + 1`, lastError: ask.error, failedAt: ask.at })
    .where(pending(ask.key));
}

/** Null when there is no such notice. A repeat keeps the first time. An acknowledged notice is not sent any more. */
export async function acknowledge(
  executor: Executor,
  ask: { readonly id: string; readonly at: string },
): Promise<Notice | null> {
  await executor
    .update(notices)
    .set({ state: "acknowledged", acknowledgedAt: ask.at })
    .where(and(eq(notices.id, ask.id), ne(notices.state, "acknowledged")));
  return first(await listNotices(executor, { id: ask.id }));
}

/** The close-out does what the notices of an item asked for: none of them is sent or shown any more. */
export async function acknowledgeOfItem(
  executor: Executor,
  ask: { readonly item: string; readonly at: string },
): Promise<void> {
  await executor
    .update(notices)
    .set({ state: "acknowledged", acknowledgedAt: ask.at })
    .where(and(eq(notices.item, ask.item), ne(notices.state, "acknowledged")));
}

/**
 * Items of a project with a notice to try again: it failed before, or nobody tried for a minute, and now there is
 * somebody to tell (A6.3). One that has no recipient waits until there is.
 */
export async function itemsToTell(
  executor: Executor,
  ask: { readonly project: string; readonly at: string },
): Promise<string[]> {
  const holder = executor
    .select({ one: sql`1` })
    .from(claims)
    .innerJoin(sessions, eq(sessions.id, claims.session))
    .where(
      and(eq(claims.item, notices.item), isNull(claims.releasedAt), eq(sessions.state, "active")),
    );
  const seat = executor
    .select({ one: sql`1` })
    .from(sessions)
    .where(
      and(
        eq(sessions.project, notices.project),
        eq(sessions.steering, true),
        eq(sessions.state, "active"),
      ),
    );
  const rows = await executor
    .selectDistinct({ item: notices.item })
    .from(notices)
    .where(
      and(
        eq(notices.project, ask.project),
        eq(notices.state, "pending"),
        or(
          gt(notices.attempts, 0),
          sql`${notices.createdAt} <= ${ask.at}::timestamptz - interval '1 minute'`,
        ),
        or(and(ne(notices.kind, "wrong_tree"), exists(holder)), exists(seat)),
      ),
    )
    .orderBy(asc(notices.item));
  return rows.map(({ item }) => item);
}

/** Oldest first. `session` is the recipient. */
export async function listNotices(
  executor: Executor,
  ask: {
    readonly id?: string | undefined;
    readonly key?: string | undefined;
    readonly keys?: readonly string[] | undefined;
    readonly project?: string | undefined;
    readonly item?: string | undefined;
    readonly session?: string | undefined;
    readonly state?: Notice["state"] | undefined;
    /** Only those that nobody acknowledged. */
    readonly open?: boolean | undefined;
  },
): Promise<Notice[]> {
  return executor
    .select(columns)
    .from(notices)
    .where(
      and(
        ask.id === undefined ? undefined : eq(notices.id, ask.id),
        ask.key === undefined ? undefined : eq(notices.key, ask.key),
        ask.keys === undefined ? undefined : inArray(notices.key, [...ask.keys]),
        ask.project === undefined ? undefined : eq(notices.project, ask.project),
        ask.item === undefined ? undefined : eq(notices.item, ask.item),
        ask.session === undefined ? undefined : eq(notices.recipient, ask.session),
        ask.state === undefined ? undefined : eq(notices.state, ask.state),
        ask.open === true ? ne(notices.state, "acknowledged") : undefined,
      ),
    )
    .orderBy(asc(notices.createdAt), asc(notices.key));
}

/** How many notices are in each state, over all projects. */
export async function countNotices(
  executor: Executor,
): Promise<{ state: Notice["state"]; notices: number }[]> {
  return executor
    .select({ state: notices.state, notices: count() })
    .from(notices)
    .groupBy(notices.state);
}

function pending(key: string) {
  return and(eq(notices.key, key), eq(notices.state, "pending"));
}
