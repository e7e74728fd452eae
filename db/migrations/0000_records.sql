CREATE TABLE "claims" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "claims_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item" text NOT NULL,
	"session" text NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "item_dependencies" (
	"item" text NOT NULL,
	"depends_on" text NOT NULL,
	"declared_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "item_dependencies_unique" PRIMARY KEY("item","depends_on"),
	CONSTRAINT "item_dependencies_not_self" CHECK ("item_dependencies"."item" <> "item_dependencies"."depends_on")
);
--> statement-breakpoint
CREATE TABLE "item_sections" (
	"item" text NOT NULL,
	"name" text NOT NULL,
	"body" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "item_sections_unique" PRIMARY KEY("item","name")
);
--> statement-breakpoint
CREATE TABLE "items" (
	"key" text PRIMARY KEY NOT NULL,
	"project" text NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	"merged_at" timestamp (3) with time zone,
	"merge_queue_landed_at" timestamp (3) with time zone,
	"merge_commit" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "items_number_unique" UNIQUE("project","number"),
	CONSTRAINT "items_number_positive" CHECK ("items"."number" > 0),
	CONSTRAINT "items_key_form" CHECK ("items"."key" = "items"."project" || '-' || "items"."number"),
	CONSTRAINT "items_status_known" CHECK ("items"."status" in ('open', 'landing', 'landed')),
	CONSTRAINT "items_stamps_whole" CHECK (("items"."merged_at" is null) = ("items"."merge_commit" is null) and ("items"."merge_queue_landed_at" is null or "items"."merged_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "landings" (
	"item" text PRIMARY KEY NOT NULL,
	"project" text NOT NULL,
	"state" jsonb NOT NULL,
	"phase" text GENERATED ALWAYS AS (state ->> 'phase') STORED,
	"pull_request" integer GENERATED ALWAYS AS ((state -> 'pullRequest' ->> 'number')::integer) STORED,
	"node_id" text GENERATED ALWAYS AS (state -> 'pullRequest' ->> 'nodeId') STORED,
	"version" integer NOT NULL,
	"why" text NOT NULL,
	"state_at" timestamp (3) with time zone NOT NULL,
	"observation" jsonb,
	"observed_at" timestamp (3) with time zone,
	"observation_stored_at" timestamp (3) with time zone,
	"observed_digest" text,
	"result" text,
	"verification" text,
	CONSTRAINT "landings_phase_known" CHECK ("landings"."phase" is not null and "landings"."phase" in ('unarmed', 'pending', 'waiting_reentry', 'held', 'stopped', 'landed', 'closed_out')),
	CONSTRAINT "landings_version_positive" CHECK ("landings"."version" > 0),
	CONSTRAINT "landings_observation_whole" CHECK (num_nulls("landings"."observation", "landings"."observed_at", "landings"."observation_stored_at", "landings"."observed_digest") in (0, 4))
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"id" text PRIMARY KEY NOT NULL,
	"item" text NOT NULL,
	"branch" text NOT NULL,
	"path" text NOT NULL,
	"common_dir" text NOT NULL,
	"host" text NOT NULL,
	"remote" text,
	"state" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "lanes_state_known" CHECK ("lanes"."state" in ('active', 'removed')),
	CONSTRAINT "lanes_removed_when_gone" CHECK (("lanes"."state" = 'removed') = ("lanes"."removed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"key" text NOT NULL,
	"project" text NOT NULL,
	"item" text NOT NULL,
	"episode" integer NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"next" text,
	"reason" text,
	"failed_checks" jsonb NOT NULL,
	"recipient" text,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"acknowledged_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "notices_key_unique" UNIQUE("key"),
	CONSTRAINT "notices_kind_known" CHECK ("notices"."kind" in ('landed', 'stopped', 'queue_conflict')),
	CONSTRAINT "notices_state_known" CHECK ("notices"."state" in ('pending', 'delivered', 'acknowledged')),
	CONSTRAINT "notices_delivered_when_sent" CHECK ("notices"."state" <> 'delivered' or "notices"."delivered_at" is not null),
	CONSTRAINT "notices_acknowledged_when_read" CHECK (("notices"."state" = 'acknowledged') = ("notices"."acknowledged_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"key" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"repository_id" bigint NOT NULL,
	"api_url" text NOT NULL,
	"gate_branch" text NOT NULL,
	"credential" jsonb NOT NULL,
	"connection" text NOT NULL,
	"webhook_secret" text,
	"requirement_digest" text NOT NULL,
	"requirement" text NOT NULL,
	"upkeep_seconds" integer NOT NULL,
	"refresh_error" jsonb,
	"refreshed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_item_number" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "projects_connection_unique" UNIQUE("connection"),
	CONSTRAINT "projects_repository_gate_unique" UNIQUE("api_url","repository_id","gate_branch"),
	CONSTRAINT "projects_key_form" CHECK ("projects"."key" ~ '^[A-Z][A-Z0-9]{1,9}$'),
	CONSTRAINT "projects_upkeep_seconds_positive" CHECK ("projects"."upkeep_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "qualifications" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "qualifications_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item" text NOT NULL,
	"commit" text NOT NULL,
	"tree" text NOT NULL,
	"requirement_digest" text NOT NULL,
	"verdict" text NOT NULL,
	"evidence" text NOT NULL,
	"recorded_by" text NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "qualifications_verdict_known" CHECK ("qualifications"."verdict" in ('passed', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "receipts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item" text NOT NULL,
	"pull_request" integer NOT NULL,
	"head_branch" text NOT NULL,
	"target" text NOT NULL,
	"head" text NOT NULL,
	"merge_commit" text NOT NULL,
	"merged_at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"carried_by" text,
	"proof" text,
	"result" text,
	"verification" text,
	"changed_files" jsonb,
	"contributed_commits" jsonb,
	"closed_out_at" timestamp (3) with time zone,
	CONSTRAINT "receipts_identity_unique" UNIQUE("item","pull_request","merge_commit"),
	CONSTRAINT "receipts_proof_known" CHECK ("receipts"."proof" in ('ancestry')),
	CONSTRAINT "receipts_close_out_whole" CHECK (num_nulls("receipts"."carried_by", "receipts"."proof", "receipts"."changed_files", "receipts"."contributed_commits", "receipts"."closed_out_at") in (0, 5) and ("receipts"."closed_out_at" is not null or num_nonnulls("receipts"."result", "receipts"."verification") = 0))
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"key" text PRIMARY KEY NOT NULL,
	"item" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"detail" text NOT NULL,
	"reserved_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "reservations_state_known" CHECK ("reservations"."state" in ('reserved', 'completed', 'uncertain', 'released')),
	CONSTRAINT "reservations_settled_when_known" CHECK (("reservations"."state" = 'reserved') = ("reservations"."settled_at" is null))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"harness" text NOT NULL,
	"wake_route" jsonb NOT NULL,
	"host" text NOT NULL,
	"project" text,
	"steering" boolean NOT NULL,
	"state" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_state_known" CHECK ("sessions"."state" in ('active', 'ended')),
	CONSTRAINT "sessions_ended_when_over" CHECK (("sessions"."state" = 'ended') = ("sessions"."ended_at" is not null)),
	CONSTRAINT "sessions_steering_has_project" CHECK (not "sessions"."steering" or "sessions"."project" is not null)
);
--> statement-breakpoint
CREATE TABLE "steering_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "steering_messages_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project" text NOT NULL,
	"item" text,
	"from_session" text,
	"text" text NOT NULL,
	"said_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"connection" text NOT NULL,
	"guid" text NOT NULL,
	"event" text NOT NULL,
	"action" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"processed_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_unique" PRIMARY KEY("connection","guid")
);
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_session_sessions_id_fk" FOREIGN KEY ("session") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_dependencies" ADD CONSTRAINT "item_dependencies_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_dependencies" ADD CONSTRAINT "item_dependencies_depends_on_items_key_fk" FOREIGN KEY ("depends_on") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_sections" ADD CONSTRAINT "item_sections_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "landings" ADD CONSTRAINT "landings_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "landings" ADD CONSTRAINT "landings_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_recipient_sessions_id_fk" FOREIGN KEY ("recipient") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifications" ADD CONSTRAINT "qualifications_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_from_session_sessions_id_fk" FOREIGN KEY ("from_session") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "claims_active_unique" ON "claims" USING btree ("item") WHERE "claims"."released_at" is null;--> statement-breakpoint
CREATE INDEX "claims_by_session" ON "claims" USING btree ("session");--> statement-breakpoint
CREATE INDEX "item_dependencies_by_predecessor" ON "item_dependencies" USING btree ("depends_on");--> statement-breakpoint
CREATE INDEX "landings_open" ON "landings" USING btree ("project") WHERE "landings"."pull_request" is not null and "landings"."phase" not in ('landed', 'closed_out');--> statement-breakpoint
CREATE UNIQUE INDEX "lanes_active_branch_unique" ON "lanes" USING btree ("item","branch") WHERE "lanes"."state" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "lanes_active_repository_branch_unique" ON "lanes" USING btree ("host","common_dir","branch") WHERE "lanes"."state" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "lanes_active_worktree_unique" ON "lanes" USING btree ("host","path") WHERE "lanes"."state" = 'active';--> statement-breakpoint
CREATE INDEX "lanes_by_item" ON "lanes" USING btree ("item");--> statement-breakpoint
CREATE INDEX "notices_by_item" ON "notices" USING btree ("item");--> statement-breakpoint
CREATE INDEX "notices_by_recipient" ON "notices" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "notices_pending" ON "notices" USING btree ("project") WHERE "notices"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "qualifications_by_item" ON "qualifications" USING btree ("item","sequence");--> statement-breakpoint
CREATE INDEX "reservations_by_item" ON "reservations" USING btree ("item");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_steering_seat_unique" ON "sessions" USING btree ("project") WHERE "sessions"."steering" and "sessions"."state" = 'active';--> statement-breakpoint
CREATE INDEX "steering_messages_by_project" ON "steering_messages" USING btree ("project","sequence");