/** Paths and migrations that items keep for themselves while they are built (A13.1). */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { TerritoryClaim } from "../src/core/release/model.js";
import type { Executor } from "./client.js";
import { first } from "./rows.js";
import { territoryClaims } from "./schema.js";

const columns = {
  project: territoryClaims.project,
  item: territoryClaims.item,
  kind: territoryClaims.kind,
  name: territoryClaims.name,
  claimedAt: territoryClaims.claimedAt,
};

/** Claims it for the item; of several that ask at once one gets it. The claim that stands comes back. */
export async function claimTerritory(
  executor: Executor,
  ask: Omit<TerritoryClaim, "claimedAt"> & { readonly at: string },
): Promise<TerritoryClaim> {
  const { at, ...given } = ask;
  for (;;) {
    await executor
      .insert(territoryClaims)
      .values({ ...given, claimedAt: at })
      .onConflictDoNothing();
    const standing = first(
      await executor
        .select(columns)
        .from(territoryClaims)
        .where(
          and(
            eq(territoryClaims.project, ask.project),
            eq(territoryClaims.kind, ask.kind),
            eq(territoryClaims.name, ask.name),
            isNull(territoryClaims.releasedAt),
          ),
        ),
    );
    // Released between the two statements: it is free again, so ask again.
    if (standing !== null) return standing;
  }
}

/** Releases everything that the item holds. */
export async function releaseTerritory(
  executor: Executor,
  ask: { readonly item: string; readonly at: string },
): Promise<void> {
  await executor
    .update(territoryClaims)
    .set({ releasedAt: ask.at })
    .where(and(eq(territoryClaims.item, ask.item), isNull(territoryClaims.releasedAt)));
}

/** What is held, by name. */
export async function listTerritory(
  executor: Executor,
  ask: { readonly project?: string | undefined; readonly item?: string | undefined },
): Promise<TerritoryClaim[]> {
  return executor
    .select(columns)
    .from(territoryClaims)
    .where(
      and(
        isNull(territoryClaims.releasedAt),
        ask.project === undefined ? undefined : eq(territoryClaims.project, ask.project),
        ask.item === undefined ? undefined : eq(territoryClaims.item, ask.item),
      ),
    )
    .orderBy(asc(territoryClaims.kind), asc(territoryClaims.name));
}
