/** Items of a project and what they wait for. */
import { and, asc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Item, ItemStatus, Predecessor } from "../src/core/records.js";
import { inTransaction, type Executor } from "./client.js";
import { first, only } from "./rows.js";
import { itemDependencies, items, projects } from "./schema.js";

const { statusAt: _statusAt, ...columns } = getTableColumns(items);

export { findSection, listSections, putSection, type Section } from "./sections.js";

/**
 * Adds an open item under the project's next number. Adders take turns on the project's row, and one that fails gives
 * its number back, so numbers have neither gaps nor doubles (case D14).
 */
export async function addItem(
  executor: Executor,
  item: {
    readonly project: string;
    readonly title: string;
    readonly body: string;
    readonly at: string;
  },
): Promise<Item> {
  const { project, title, body, at } = item;
  return inTransaction(executor, async (transaction) => {
    const counted = await transaction
      .update(projects)
      .set({ lastItemNumber: sql`${projects.lastItemNumber} + 1` })
      .where(eq(projects.key, project))
      .returning({ number: projects.lastItemNumber });
    const { number } = only(counted, `project ${project}`);
    const key = `${project}-${String(number)}`;
    const rows = await transaction
      .insert(items)
      .values({ key, project, number, title, body, status: "open", statusAt: at, createdAt: at })
      .returning(columns);
    return only(rows, `item ${key}`);
  });
}

export async function findItem(
  executor: Executor,
  ask: { readonly key: string },
): Promise<Item | null> {
  return first(await executor.select(columns).from(items).where(eq(items.key, ask.key)));
}

/** By number. */
export async function listItems(
  executor: Executor,
  ask: { readonly project: string },
): Promise<Item[]> {
  return executor
    .select(columns)
    .from(items)
    .where(eq(items.project, ask.project))
    .orderBy(asc(items.number));
}

/** Null when there is no such item. Setting the status it has changes nothing. */
export async function setItemStatus(
  executor: Executor,
  ask: { readonly item: string; readonly status: ItemStatus; readonly at: string },
): Promise<Item | null> {
  await executor
    .update(items)
    .set({ status: ask.status, statusAt: ask.at })
    .where(and(eq(items.key, ask.item), ne(items.status, ask.status)));
  return findItem(executor, { key: ask.item });
}

/** An item and what must land before it. */
export interface Dependency {
  readonly item: string;
  readonly dependsOn: string;
}

/**
 * Declares that `item` waits for `dependsOn`; a repeat adds nothing. Violates `item_dependencies_not_self`, or
 * `item_dependencies_acyclic` when `dependsOn` already waits for `item` (A3.2).
 */
export async function addDependency(
  executor: Executor,
  ask: Dependency & { readonly at: string },
): Promise<{ added: boolean }> {
  const rows = await executor
    .insert(itemDependencies)
    .values({ item: ask.item, dependsOn: ask.dependsOn, declaredAt: ask.at })
    .onConflictDoNothing()
    .returning({ item: itemDependencies.item });
  return { added: rows.length > 0 };
}

/** All declared dependencies of a project's items. */
export async function listDependencies(
  executor: Executor,
  ask: { readonly project: string },
): Promise<Dependency[]> {
  return executor
    .select({ item: itemDependencies.item, dependsOn: itemDependencies.dependsOn })
    .from(itemDependencies)
    .innerJoin(items, eq(items.key, itemDependencies.item))
    .where(eq(items.project, ask.project))
    .orderBy(asc(items.number), asc(itemDependencies.dependsOn));
}

/** What an item was declared to wait for (A3.1), whether or not it is in a queue; by project and number. */
export async function listPredecessors(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Predecessor[]> {
  const before = alias(items, "predecessors");
  return executor
    .select({ item: before.key, title: before.title, status: before.status })
    .from(itemDependencies)
    .innerJoin(before, eq(before.key, itemDependencies.dependsOn))
    .where(eq(itemDependencies.item, ask.item))
    .orderBy(asc(before.project), asc(before.number));
}
