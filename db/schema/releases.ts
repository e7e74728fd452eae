/** What leaves together, and what an epic's lanes leave behind: deployment runs, lane landings, claimed territory. */
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { TerritoryClaim } from "../../src/core/release/model.js";
import { instant, oneOf } from "../columns.js";
import { items, projects } from "./plan.js";

export const deploymentRuns = pgTable("deployment_runs", {
  name: text("name").primaryKey(),
  project: text("project")
    .notNull()
    .references(() => projects.key),
  createdAt: instant("created_at").notNull(),
  /** Null until every member was found on the gate branch. */
  admittedAt: instant("admitted_at"),
});

/** A removed member stays as history. */
export const deploymentRunItems = pgTable(
  "deployment_run_items",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    run: text("run")
      .notNull()
      .references(() => deploymentRuns.name),
    item: text("item")
      .notNull()
      .references(() => items.key),
    addedAt: instant("added_at").notNull(),
    removedAt: instant("removed_at"),
    /** The landing that the run was admitted with: its receipt's identity. */
    pullRequest: integer("pull_request"),
    mergeCommit: text("merge_commit"),
  },
  (table) => [
    uniqueIndex("deployment_run_items_current_unique")
      .on(table.run, table.item)
      .where(sql`${table.removedAt} is null`),
    check(
      "deployment_run_items_landing_whole",
      sql`(${table.pullRequest} is null) = (${table.mergeCommit} is null)`,
    ),
    index("deployment_run_items_by_item").on(table.item),
  ],
);

/** The merge that first carried a lane's candidate, recorded before the lane is removed (A13.1). */
export const itemLandings = pgTable(
  "item_landings",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    branch: text("branch").notNull(),
    candidate: text("candidate").notNull(),
    /** The candidate itself where the gate branch was fast-forwarded to it. */
    carriedBy: text("carried_by").notNull(),
    recordedAt: instant("recorded_at").notNull(),
  },
  (table) => [
    unique("item_landings_identity_unique").on(table.item, table.branch, table.candidate),
  ],
);

/** Paths and migrations that an item keeps for itself while it is built. */
export const territoryClaims = pgTable(
  "territory_claims",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    item: text("item")
      .notNull()
      .references(() => items.key),
    kind: text("kind").$type<TerritoryClaim["kind"]>().notNull(),
    name: text("name").notNull(),
    claimedAt: instant("claimed_at").notNull(),
    releasedAt: instant("released_at"),
  },
  (table) => [
    check("territory_claims_kind_known", oneOf(table.kind, ["path", "migration"])),
    uniqueIndex("territory_claims_active_unique")
      .on(table.project, table.kind, table.name)
      .where(sql`${table.releasedAt} is null`),
    index("territory_claims_by_item").on(table.item),
  ],
);
