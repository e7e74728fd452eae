/** Webhook deliveries, so that GitHub's redelivery of one that was handled does nothing. */
import { and, eq, isNull } from "drizzle-orm";
import type { Executor } from "./client.js";
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
