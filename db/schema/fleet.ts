/** Who works on what, and where: sessions, claims, lanes, and words for the steering seat. */
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Lane, Session, WakeRoute } from "../../src/core/records.js";
import { instant, json, oneOf, words } from "../columns.js";
import { items, projects } from "./plan.js";

export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    harness: text("harness").notNull(),
    wakeRoute: json("wake_route").$type<WakeRoute>().notNull(),
    host: text("host").notNull(),
    project: text("project").references(() => projects.key),
    steering: boolean("steering").notNull(),
    state: text("state").$type<Session["state"]>().notNull(),
    registeredAt: instant("registered_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    check("sessions_state_known", oneOf(table.state, ["active", "ended"])),
    check(
      "sessions_ended_when_over",
      sql`(${table.state} = 'ended') = (${table.endedAt} is not null)`,
    ),
    check(
      "sessions_steering_has_project",
      sql`not ${table.steering} or ${table.project} is not null`,
    ),
    uniqueIndex("sessions_steering_seat_unique")
      .on(table.project)
      .where(sql`${table.steering} and ${table.state} = 'active'`),
  ],
);

/** A released claim stays as history; at most one of an item is active (case D12). */
export const claims = pgTable(
  "claims",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    session: text("session")
      .notNull()
      .references(() => sessions.id),
    claimedAt: instant("claimed_at").notNull(),
    releasedAt: instant("released_at"),
  },
  (table) => [
    uniqueIndex("claims_active_unique")
      .on(table.item)
      .where(sql`${table.releasedAt} is null`),
    index("claims_by_session").on(table.session),
  ],
);

export const lanes = pgTable(
  "lanes",
  {
    id: text("id").primaryKey(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    branch: text("branch").notNull(),
    path: text("path").notNull(),
    commonDir: text("common_dir").notNull(),
    host: text("host").notNull(),
    remote: text("remote"),
    state: text("state").$type<Lane["state"]>().notNull(),
    /** Lanes of the item come together in it (A12.4, A13.1). */
    integration: boolean("integration").notNull().default(false),
    registeredAt: instant("registered_at").notNull(),
    removedAt: instant("removed_at"),
  },
  (table) => [
    check("lanes_state_known", oneOf(table.state, ["active", "removed"])),
    check(
      "lanes_removed_when_gone",
      sql`(${table.state} = 'removed') = (${table.removedAt} is not null)`,
    ),
    uniqueIndex("lanes_active_branch_unique")
      .on(table.item, table.branch)
      .where(sql`${table.state} = 'active'`),
    uniqueIndex("lanes_active_repository_branch_unique")
      .on(table.host, table.commonDir, table.branch)
      .where(sql`${table.state} = 'active'`),
    uniqueIndex("lanes_active_worktree_unique")
      .on(table.host, table.path)
      .where(sql`${table.state} = 'active'`),
    index("lanes_by_item").on(table.item),
  ],
);

export const steeringMessages = pgTable(
  "steering_messages",
  {
    id: text("id").primaryKey(),
    /** Order of arrival, for messages of the same millisecond. */
    sequence: bigint("sequence", { mode: "number" }).generatedAlwaysAsIdentity().notNull(),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    item: text("item").references(() => items.key),
    /** Null for a person without a session. */
    fromSession: text("from_session").references(() => sessions.id),
    text: words("text").notNull(),
    saidAt: instant("said_at").notNull(),
  },
  (table) => [index("steering_messages_by_project").on(table.project, table.sequence)],
);
