CREATE TABLE "project_freezes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_freezes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp (3) with time zone,
	"drain" boolean NOT NULL,
	"frozen_by" text,
	"frozen_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" text,
	"lifted_reason" text,
	CONSTRAINT "project_freezes_until_later" CHECK ("project_freezes"."until" > "project_freezes"."frozen_at"),
	CONSTRAINT "project_freezes_lifted_whole" CHECK ("project_freezes"."lifted_at" is not null or num_nonnulls("project_freezes"."lifted_by", "project_freezes"."lifted_reason") = 0)
);
--> statement-breakpoint
ALTER TABLE "project_freezes" ADD CONSTRAINT "project_freezes_project_projects_key_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "project_freezes_standing_unique" ON "project_freezes" USING btree ("project") WHERE "project_freezes"."lifted_at" is null;