/** What is to be done: projects, their items, what an item waits for, and notes kept with it. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ItemStatus, Project, ProjectCredential, SecretRef } from "../../src/core/records.js";
import { instant, json, oneOf, words } from "../columns.js";

export const projects = pgTable(
  "projects",
  {
    key: text("key").primaryKey(),
    owner: text("owner").notNull(),
    name: text("name").notNull(),
    repositoryId: bigint("repository_id", { mode: "number" }).notNull(),
    apiUrl: text("api_url").notNull(),
    gateBranch: text("gate_branch").notNull(),
    closeOut: text("close_out").$type<Project["closeOut"]>().notNull().default("ancestry"),
    deleteRemoteBranches: boolean("delete_remote_branches").notNull().default(false),
    credential: json("credential").$type<ProjectCredential>().notNull(),
    connection: text("connection").notNull().unique("projects_connection_unique"),
    webhookSecret: text("webhook_secret").$type<SecretRef>(),
    requirementDigest: text("requirement_digest").notNull(),
    requirement: words("requirement").notNull(),
    upkeepSeconds: integer("upkeep_seconds").notNull(),
    refreshError: json("refresh_error").$type<NonNullable<Project["refreshError"]>>(),
    refreshedAt: instant("refreshed_at"),
    createdAt: instant("created_at").notNull(),
    /** Number of the newest item; grows in the transaction that adds it, so that numbers have no gaps. */
    lastItemNumber: integer("last_item_number").notNull().default(0),
  },
  (table) => [
    unique("projects_repository_gate_unique").on(
      table.apiUrl,
      table.repositoryId,
      table.gateBranch,
    ),
    check("projects_key_form", sql`${table.key} ~ '^[A-Z][A-Z0-9]{1,9}$'`),
    check("projects_close_out_known", oneOf(table.closeOut, ["ancestry", "content"])),
    check("projects_upkeep_seconds_positive", sql`${table.upkeepSeconds} > 0`),
  ],
);

/** A freeze that was lifted stays as history; one that lasts is the only one of its project without `lifted_at`. */
export const projectFreezes = pgTable(
  "project_freezes",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    reason: words("reason").notNull(),
    /** When it ends by itself. */
    until: instant("until"),
    drain: boolean("drain").notNull(),
    /** Session; null for a person without one. */
    frozenBy: text("frozen_by"),
    frozenAt: instant("frozen_at").notNull(),
    liftedAt: instant("lifted_at"),
    liftedBy: text("lifted_by"),
    liftedReason: words("lifted_reason"),
  },
  (table) => [
    uniqueIndex("project_freezes_standing_unique")
      .on(table.project)
      .where(sql`${table.liftedAt} is null`),
    check("project_freezes_until_later", sql`${table.until} > ${table.frozenAt}`),
    check(
      "project_freezes_lifted_whole",
      sql`${table.liftedAt} is not null or num_nonnulls(${table.liftedBy}, ${table.liftedReason}) = 0`,
    ),
  ],
);

export const items = pgTable(
  "items",
  {
    key: text("key").primaryKey(),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    number: integer("number").notNull(),
    title: words("title").notNull(),
    body: words("body").notNull(),
    status: text("status").$type<ItemStatus>().notNull(),
    /** Since when it has this status. */
    statusAt: instant("status_at").notNull(),
    /** GitHub's merge time, whatever route the merge took. */
    mergedAt: instant("merged_at"),
    /** The same time, set only when a governed landing carried it. */
    mergeQueueLandedAt: instant("merge_queue_landed_at"),
    mergeCommit: text("merge_commit"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("items_number_unique").on(table.project, table.number),
    check("items_number_positive", sql`${table.number} > 0`),
    check("items_key_form", sql`${table.key} = ${table.project} || '-' || ${table.number}`),
    check("items_status_known", oneOf(table.status, ["open", "landing", "landed"])),
    check(
      "items_stamps_whole",
      sql`(${table.mergedAt} is null) = (${table.mergeCommit} is null) and (${table.mergeQueueLandedAt} is null or ${table.mergedAt} is not null)`,
    ),
  ],
);

export const itemDependencies = pgTable(
  "item_dependencies",
  {
    item: text("item")
      .notNull()
      .references(() => items.key),
    dependsOn: text("depends_on")
      .notNull()
      .references(() => items.key),
    declaredAt: instant("declared_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "item_dependencies_unique", columns: [table.item, table.dependsOn] }),
    check("item_dependencies_not_self", sql`${table.item} <> ${table.dependsOn}`),
    index("item_dependencies_by_predecessor").on(table.dependsOn),
  ],
);

export const itemSections = pgTable(
  "item_sections",
  {
    item: text("item")
      .notNull()
      .references(() => items.key),
    name: text("name").notNull(),
    body: words("body").notNull(),
    writtenAt: instant("written_at").notNull(),
  },
  (table) => [primaryKey({ name: "item_sections_unique", columns: [table.item, table.name] })],
);
