/** Landings of an item's lanes: the merge that first carried each candidate (A12.1, A13.1). */
import { and, asc, eq } from "drizzle-orm";
import type { ItemLanding } from "../src/core/release/model.js";
import { inTransaction, type Executor } from "./client.js";
import { listLanes } from "./lanes.js";
import { only } from "./rows.js";
import { itemLandings } from "./schema.js";
import { releaseTerritory } from "./territory.js";

const columns = {
  item: itemLandings.item,
  branch: itemLandings.branch,
  candidate: itemLandings.candidate,
  carriedBy: itemLandings.carriedBy,
  recordedAt: itemLandings.recordedAt,
};

/**
 * Records a lane's landing, while the lane is still there. When the lane is the item's integration lane, or its only
 * one, the same transaction gives back the paths and migrations the item holds; its work claim stays. Key: item, branch
 * and candidate; a repeat changes nothing and answers what is stored.
 */
export async function recordItemLanding(
  executor: Executor,
  ask: Omit<ItemLanding, "recordedAt"> & { readonly at: string },
): Promise<ItemLanding> {
  const { at, ...given } = ask;
  const { item, branch, candidate } = given;
  return inTransaction(executor, async (transaction) => {
    await transaction
      .insert(itemLandings)
      .values({ ...given, recordedAt: at })
      .onConflictDoNothing();
    const active = await listLanes(transaction, { item, state: "active" });
    const whole = active.every((lane) => lane.branch === branch);
    if (whole || active.some((lane) => lane.branch === branch && lane.integration)) {
      await releaseTerritory(transaction, { item, at });
    }
    const rows = await transaction
      .select(columns)
      .from(itemLandings)
      .where(
        and(
          eq(itemLandings.item, item),
          eq(itemLandings.branch, branch),
          eq(itemLandings.candidate, candidate),
        ),
      );
    return only(rows, `landing of ${item} from ${branch}`);
  });
}

/** In the order they were recorded. */
export async function listItemLandings(
  executor: Executor,
  ask: { readonly item: string },
): Promise<ItemLanding[]> {
  return executor
    .select(columns)
    .from(itemLandings)
    .where(eq(itemLandings.item, ask.item))
    .orderBy(asc(itemLandings.id));
}
