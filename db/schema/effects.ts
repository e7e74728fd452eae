/** What leaves the machine and what comes in, each at most once: notices, reservations, webhook deliveries. */
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { FailedCheck, NoticeKind, StopReason } from "../../src/core/landing/model.js";
import type { Notice, ReservationState } from "../../src/core/records.js";
import { instant, json, oneOf, words } from "../columns.js";
import { sessions } from "./fleet.js";
import { items, projects } from "./plan.js";

export const notices = pgTable(
  "notices",
  {
    id: text("id")
      .primaryKey()
      .default(sql`gen_random_uuid()::text`),
    key: text("key").notNull().unique("notices_key_unique"),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    item: text("item")
      .notNull()
      .references(() => items.key),
    episode: integer("episode").notNull(),
    kind: text("kind").$type<NoticeKind>().notNull(),
    title: words("title").notNull(),
    body: words("body").notNull(),
    next: words("next"),
    reason: text("reason").$type<StopReason>(),
    failedChecks: json("failed_checks").$type<readonly FailedCheck[]>().notNull(),
    recipient: text("recipient").references(() => sessions.id),
    state: text("state").$type<Notice["state"]>().notNull(),
    createdAt: instant("created_at").notNull(),
    deliveredAt: instant("delivered_at"),
    acknowledgedAt: instant("acknowledged_at"),
    attempts: integer("attempts").notNull().default(0),
    lastError: words("last_error"),
    /** When the last attempt failed. */
    failedAt: instant("failed_at"),
  },
  (table) => [
    check(
      "notices_kind_known",
      oneOf(table.kind, ["landed", "stopped", "queue_conflict", "wrong_tree"]),
    ),
    check("notices_state_known", oneOf(table.state, ["pending", "delivered", "acknowledged"])),
    check(
      "notices_delivered_when_sent",
      sql`${table.state} <> 'delivered' or ${table.deliveredAt} is not null`,
    ),
    check(
      "notices_acknowledged_when_read",
      sql`(${table.state} = 'acknowledged') = (${table.acknowledgedAt} is not null)`,
    ),
    index("notices_by_item").on(table.item),
    index("notices_by_recipient").on(table.recipient),
    index("notices_pending")
      .on(table.project)
      .where(sql`${table.state} = 'pending'`),
  ],
);

/** One request leaves the machine for each key (design.md "Effects"): the primary key is what makes it so. */
export const reservations = pgTable(
  "reservations",
  {
    key: text("key").primaryKey(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    kind: text("kind").notNull(),
    state: text("state").$type<ReservationState>().notNull(),
    detail: words("detail").notNull(),
    reservedAt: instant("reserved_at").notNull(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    check(
      "reservations_state_known",
      oneOf(table.state, ["reserved", "completed", "uncertain", "released"]),
    ),
    check(
      "reservations_settled_when_known",
      sql`(${table.state} = 'reserved') = (${table.settledAt} is null)`,
    ),
    index("reservations_by_item").on(table.item),
  ],
);

/** GitHub gives all webhooks that hear of one event the same delivery id, so it is unique for a connection only. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    connection: text("connection").notNull(),
    guid: text("guid").notNull(),
    event: text("event").notNull(),
    action: text("action"),
    receivedAt: instant("received_at").notNull(),
    processedAt: instant("processed_at"),
  },
  (table) => [
    primaryKey({ name: "webhook_deliveries_unique", columns: [table.connection, table.guid] }),
  ],
);
