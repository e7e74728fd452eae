/** A landing from proof to proof: qualifications, the landing itself, its receipts. */
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
import type {
  AttemptEnd,
  LandingPhase,
  LandingState,
  Observation,
} from "../../src/core/landing/model.js";
import type { Qualification, Receipt } from "../../src/core/records.js";
import { instant, json, oneOf, words } from "../columns.js";
import { items, projects } from "./plan.js";

/** Append-only: trigger `qualifications_append_only`. */
export const qualifications = pgTable(
  "qualifications",
  {
    id: text("id").primaryKey(),
    /** Order of arrival, for two of the same millisecond. */
    sequence: bigint("sequence", { mode: "number" }).generatedAlwaysAsIdentity().notNull(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    commit: text("commit").notNull(),
    tree: text("tree").notNull(),
    requirementDigest: text("requirement_digest").notNull(),
    verdict: text("verdict").$type<Qualification["verdict"]>().notNull(),
    evidence: words("evidence").notNull(),
    recordedBy: text("recorded_by").notNull(),
    recordedAt: instant("recorded_at").notNull(),
  },
  (table) => [
    check("qualifications_verdict_known", oneOf(table.verdict, ["passed", "failed"])),
    index("qualifications_by_item").on(table.item, table.sequence),
  ],
);

const phases: readonly LandingPhase[] = [
  "unarmed",
  "pending",
  "waiting_reentry",
  "held",
  "stopped",
  "landed",
  "closed_out",
  "closed",
];

export const landings = pgTable(
  "landings",
  {
    item: text("item")
      .notNull()
      .references(() => items.key),
    /** The pull request that names a re-land attempt; 0 for the item's first landing (A10.1). */
    attempt: integer("attempt").notNull().default(0),
    project: text("project")
      .notNull()
      .references(() => projects.key),
    state: json("state").$type<LandingState>().notNull(),
    /** Read out of `state` by Postgres, so that they cannot tell something else. */
    phase: text("phase").generatedAlwaysAs(sql`state ->> 'phase'`),
    pullRequest: integer("pull_request").generatedAlwaysAs(
      sql`(state -> 'pullRequest' ->> 'number')::integer`,
    ),
    nodeId: text("node_id").generatedAlwaysAs(sql`state -> 'pullRequest' ->> 'nodeId'`),
    version: integer("version").notNull(),
    why: words("why").notNull(),
    stateAt: instant("state_at").notNull(),
    observation: json("observation").$type<Observation>(),
    /** `readAt` of the observation: GitHub's clock. */
    observedAt: instant("observed_at"),
    /** When the observation was stored: our clock. */
    observationStoredAt: instant("observation_stored_at"),
    /** SHA-256 of what the observation says, less its times. */
    observedDigest: text("observed_digest"),
    result: words("result"),
    verification: words("verification"),
  },
  (table) => [
    primaryKey({ name: "landings_identity", columns: [table.item, table.attempt] }),
    check(
      "landings_attempt_of_state",
      sql`coalesce((${table.state} ->> 'attempt')::integer, 0) = ${table.attempt}`,
    ),
    check(
      "landings_phase_known",
      sql`${table.phase} is not null and ${oneOf(table.phase, phases)}`,
    ),
    check("landings_version_positive", sql`${table.version} > 0`),
    check(
      "landings_observation_whole",
      sql`num_nulls(${table.observation}, ${table.observedAt}, ${table.observationStoredAt}, ${table.observedDigest}) in (0, 4)`,
    ),
    index("landings_open")
      .on(table.project)
      .where(
        sql`${table.pullRequest} is not null and ${table.phase} not in ('landed', 'closed_out', 'closed')`,
      ),
  ],
);

/**
 * The pull requests by which an item that landed is landed again (A10.1). What the attempt's workflow says is its row of
 * `landings`; this row is written with it, in the same transaction.
 */
export const landingAttempts = pgTable(
  "merge_queue_landing_attempts",
  {
    item: text("item")
      .notNull()
      .references(() => items.key),
    pullRequest: integer("pull_request").notNull(),
    openedAt: instant("opened_at").notNull(),
    /** Since when the queue has an entry of it, by GitHub's clock; null while it has none (A10.3). */
    enqueuedAt: instant("enqueued_at"),
    outcome: text("outcome").$type<"merged" | AttemptEnd["outcome"]>(),
    reason: words("reason"),
    closedAt: instant("closed_at"),
  },
  (table) => [
    primaryKey({
      name: "merge_queue_landing_attempts_identity",
      columns: [table.item, table.pullRequest],
    }),
    uniqueIndex("merge_queue_landing_attempts_one_open")
      .on(table.item)
      .where(sql`${table.closedAt} is null`),
    check(
      "merge_queue_landing_attempts_outcome_known",
      oneOf(table.outcome, ["merged", "superseded", "closed_unmerged"]),
    ),
    check(
      "merge_queue_landing_attempts_closed_whole",
      sql`num_nulls(${table.outcome}, ${table.reason}, ${table.closedAt}) in (0, 3) and (${table.closedAt} is null or ${table.enqueuedAt} is null)`,
    ),
  ],
);

/** Identity is append-only and enrichment is written once: trigger `receipts_append_only`. */
export const receipts = pgTable(
  "receipts",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    item: text("item")
      .notNull()
      .references(() => items.key),
    pullRequest: integer("pull_request").notNull(),
    headBranch: text("head_branch").notNull(),
    target: text("target").notNull(),
    head: text("head").notNull(),
    mergeCommit: text("merge_commit").notNull(),
    mergedAt: instant("merged_at").notNull(),
    recordedAt: instant("recorded_at").notNull(),
    carriedBy: text("carried_by"),
    proof: text("proof").$type<NonNullable<Receipt["closeOut"]>["proof"]>(),
    integrity: json("integrity").$type<NonNullable<Receipt["closeOut"]>["integrity"]>(),
    verifiedByGroup: boolean("verified_by_group"),
    result: words("result"),
    verification: words("verification"),
    changedFiles: json("changed_files").$type<readonly string[]>(),
    contributedCommits: json("contributed_commits").$type<readonly string[]>(),
    closedOutAt: instant("closed_out_at"),
  },
  (table) => [
    unique("receipts_identity_unique").on(table.item, table.pullRequest, table.mergeCommit),
    check("receipts_proof_known", oneOf(table.proof, ["ancestry", "content"])),
    check(
      "receipts_close_out_whole",
      sql`num_nulls(${table.carriedBy}, ${table.proof}, ${table.changedFiles}, ${table.contributedCommits}, ${table.closedOutAt}) in (0, 5) and (${table.closedOutAt} is not null or num_nonnulls(${table.result}, ${table.verification}, ${table.integrity}, ${table.verifiedByGroup}) = 0)`,
    ),
  ],
);
