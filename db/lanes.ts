/** Lanes: branches of items and their worktrees. */
import { and, asc, eq, getTableColumns } from "drizzle-orm";
import type { Lane } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { items, lanes } from "./schema.js";

const { removedAt: _removedAt, ...columns } = getTableColumns(lanes);

export type NewLane = Omit<Lane, "state" | "registeredAt" | "integration"> & {
  readonly integration?: boolean;
  readonly at: string;
};

/**
 * Violates `lanes_active_branch_unique` (the item has this lane), `lanes_active_repository_branch_unique` (the branch
 * is a lane of another item) or `lanes_active_worktree_unique` (the worktree is a lane already).
 */
export async function registerLane(executor: Executor, lane: NewLane): Promise<Lane> {
  const { at, ...given } = lane;
  const rows = await executor
    .insert(lanes)
    .values({ ...given, state: "active", registeredAt: at })
    .returning(columns);
  return only(rows, `lane ${lane.id}`);
}

/** In order of registration. */
export async function listLanes(
  executor: Executor,
  ask: {
    readonly item?: string | undefined;
    readonly project?: string | undefined;
    readonly state?: Lane["state"] | undefined;
  },
): Promise<Lane[]> {
  return executor
    .select(columns)
    .from(lanes)
    .innerJoin(items, eq(items.key, lanes.item))
    .where(
      and(
        ask.item === undefined ? undefined : eq(lanes.item, ask.item),
        ask.project === undefined ? undefined : eq(items.project, ask.project),
        ask.state === undefined ? undefined : eq(lanes.state, ask.state),
      ),
    )
    .orderBy(asc(lanes.registeredAt), asc(lanes.id));
}

/** Null when there is no such lane. A repeat keeps the first time. */
export async function markLaneRemoved(
  executor: Executor,
  ask: { readonly lane: string; readonly at: string },
): Promise<Lane | null> {
  await executor
    .update(lanes)
    .set({ state: "removed", removedAt: ask.at })
    .where(and(eq(lanes.id, ask.lane), eq(lanes.state, "active")));
  return first(await executor.select(columns).from(lanes).where(eq(lanes.id, ask.lane)));
}
