/** Webhook deliveries, so that GitHub's redelivery of one that was handled does nothing. */
import { and, desc, eq, isNull, lt, lte } from "drizzle-orm";
import type { Executor } from "./client.js";
import { first } from "./rows.js";
import { webhookDeliveries } from "./schema.js";

/**
 * Records a delivery. `fresh` is whether it must be handled: the first time, and again as long as nobody marked it
 * processed, since the process that received it may have died before its work was queued (case E01). Handling must
 * therefore be safe to repeat.
 */
export async function receiveDelivery(
  executor: Executor,
  delivery: {
    readonly guid: string;
    readonly connection: string;
    readonly event: string;
    readonly action: string | null;
    readonly at: string;
  },
): Promise<{ fresh: boolean }> {
  const { at, ...given } = delivery;
  const rows = await executor
    .insert(webhookDeliveries)
    .values({ ...given, receivedAt: at })
    .onConflictDoUpdate({
      target: [webhookDeliveries.connection, webhookDeliveries.guid],
      set: { receivedAt: at },
      setWhere: isNull(webhookDeliveries.processedAt),
    })
    .returning({ guid: webhookDeliveries.guid });
  return { fresh: rows.length > 0 };
}

/** Call it once the delivery's work is queued somewhere durable. A repeat keeps the first time. */
export async function markProcessed(
  executor: Executor,
  ask: { readonly guid: string; readonly connection: string; readonly at: string },
): Promise<void> {
  await executor
    .update(webhookDeliveries)
    .set({ processedAt: ask.at })
    .where(
      and(
        eq(webhookDeliveries.connection, ask.connection),
        eq(webhookDeliveries.guid, ask.guid),
        isNull(webhookDeliveries.processedAt),
      ),
    );
}

/** Connections with deliveries that were received at this time or before and that nobody marked processed (case E01). */
export async function connectionsWithUnprocessed(
  executor: Executor,
  ask: { readonly receivedUpTo: string },
): Promise<string[]> {
  const rows = await executor
    .selectDistinct({ connection: webhookDeliveries.connection })
    .from(webhookDeliveries)
    .where(
      and(
        isNull(webhookDeliveries.processedAt),
        lte(webhookDeliveries.receivedAt, ask.receivedUpTo),
      ),
    );
  return rows.map(({ connection }) => connection);
}

/** Marks all of a connection that were received at this time or before; the count comes back. */
export async function markAllProcessed(
  executor: Executor,
  ask: { readonly connection: string; readonly receivedUpTo: string; readonly at: string },
): Promise<number> {
  const rows = await executor
    .update(webhookDeliveries)
    .set({ processedAt: ask.at })
    .where(
      and(
        eq(webhookDeliveries.connection, ask.connection),
        isNull(webhookDeliveries.processedAt),
        lte(webhookDeliveries.receivedAt, ask.receivedUpTo),
      ),
    )
    .returning({ guid: webhookDeliveries.guid });
  return rows.length;
}

/** Forgets deliveries that were processed before this time: GitHub redelivers for a few days only. */
export async function forgetProcessed(
  executor: Executor,
  ask: { readonly processedBefore: string },
): Promise<void> {
  await executor
    .delete(webhookDeliveries)
    .where(lt(webhookDeliveries.processedAt, ask.processedBefore));
}

/** When a connection was last heard of; null: never. */
export async function lastDelivery(
  executor: Executor,
  ask: { readonly connection: string },
): Promise<{ event: string; action: string | null; receivedAt: string } | null> {
  return first(
    await executor
      .select({
        event: webhookDeliveries.event,
        action: webhookDeliveries.action,
        receivedAt: webhookDeliveries.receivedAt,
      })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.connection, ask.connection))
      .orderBy(desc(webhookDeliveries.receivedAt))
      .limit(1),
  );
}
