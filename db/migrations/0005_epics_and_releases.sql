CREATE TABLE "deployment_run_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deployment_run_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run" text NOT NULL,
	"item" text NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"pull_request" integer,
	"merge_commit" text,
	CONSTRAINT "deployment_run_items_landing_whole" CHECK (("deployment_run_items"."pull_request" is null) = ("deployment_run_items"."merge_commit" is null))
);
--> statement-breakpoint
CREATE TABLE "deployment_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"project" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"admitted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "item_landings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "item_landings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item" text NOT NULL,
	"branch" text NOT NULL,
	"candidate" text NOT NULL,
	"carried_by" text NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "item_landings_identity_unique" UNIQUE("item","branch","candidate")
);
--> statement-breakpoint
CREATE TABLE "territory_claims" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "territory_claims_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project" text NOT NULL,
	"item" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "territory_claims_kind_known" CHECK ("territory_claims"."kind" in ('path', 'migration'))
);
--> statement-breakpoint
ALTER TABLE "lanes" ADD COLUMN "integration" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "deployment_run_items" ADD CONSTRAINT "deployment_run_items_run_deployment_runs_name_fk" FOREIGN KEY ("run") REFERENCES "public"."deployment_runs"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_run_items" ADD CONSTRAINT "deployment_run_items_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_runs" ADD CONSTRAINT "deployment_runs_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_landings" ADD CONSTRAINT "item_landings_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "territory_claims" ADD CONSTRAINT "territory_claims_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "territory_claims" ADD CONSTRAINT "territory_claims_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deployment_run_items_current_unique" ON "deployment_run_items" USING btree ("run","item") WHERE "deployment_run_items"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "deployment_run_items_by_item" ON "deployment_run_items" USING btree ("item");--> statement-breakpoint
CREATE UNIQUE INDEX "territory_claims_active_unique" ON "territory_claims" USING btree ("project","kind","name") WHERE "territory_claims"."released_at" is null;--> statement-breakpoint
CREATE INDEX "territory_claims_by_item" ON "territory_claims" USING btree ("item");