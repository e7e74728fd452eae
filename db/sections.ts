/** Named texts kept with an item, such as its queue re-entry receipts (A7.4). */
import { and, asc, eq } from "drizzle-orm";
import type { Executor } from "./client.js";
import { first } from "./rows.js";
import { itemSections } from "./schema.js";

export interface Section {
  readonly item: string;
  readonly name: string;
  readonly body: string;
  readonly writtenAt: string;
}

/** Writes the whole section, over what was there. */
export async function putSection(
  executor: Executor,
  section: {
    readonly item: string;
    readonly name: string;
    readonly body: string;
    readonly at: string;
  },
): Promise<void> {
  const { item, name, body, at } = section;
  await executor
    .insert(itemSections)
    .values({ item, name, body, writtenAt: at })
    .onConflictDoUpdate({
      target: [itemSections.item, itemSections.name],
      set: { body, writtenAt: at },
    });
}

export async function findSection(
  executor: Executor,
  ask: { readonly item: string; readonly name: string },
): Promise<Section | null> {
  return first(
    await executor
      .select()
      .from(itemSections)
      .where(and(eq(itemSections.item, ask.item), eq(itemSections.name, ask.name))),
  );
}

/** By name. */
export async function listSections(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Section[]> {
  return executor
    .select()
    .from(itemSections)
    .where(eq(itemSections.item, ask.item))
    .orderBy(asc(itemSections.name));
}
