CREATE TABLE "merge_queue_landing_attempts" (
	"item" text NOT NULL,
	"pull_request" integer NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"enqueued_at" timestamp (3) with time zone,
	"outcome" text,
	"reason" text,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "merge_queue_landing_attempts_identity" PRIMARY KEY("item","pull_request"),
	CONSTRAINT "merge_queue_landing_attempts_outcome_known" CHECK ("merge_queue_landing_attempts"."outcome" in ('merged', 'superseded', 'closed_unmerged')),
	CONSTRAINT "merge_queue_landing_attempts_closed_whole" CHECK (num_nulls("merge_queue_landing_attempts"."outcome", "merge_queue_landing_attempts"."reason", "merge_queue_landing_attempts"."closed_at") in (0, 3) and ("merge_queue_landing_attempts"."closed_at" is null or "merge_queue_landing_attempts"."enqueued_at" is null))
);
--> statement-breakpoint
ALTER TABLE "landings" DROP CONSTRAINT "landings_phase_known";--> statement-breakpoint
DROP INDEX "landings_open";--> statement-breakpoint
ALTER TABLE "landings" ADD COLUMN "attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "landings" DROP CONSTRAINT "landings_pkey";--> statement-breakpoint
ALTER TABLE "landings" ADD CONSTRAINT "landings_identity" PRIMARY KEY("item","attempt");--> statement-breakpoint
ALTER TABLE "merge_queue_landing_attempts" ADD CONSTRAINT "merge_queue_landing_attempts_item_items_key_fk" FOREIGN KEY ("item") REFERENCES "public"."items"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "merge_queue_landing_attempts_one_open" ON "merge_queue_landing_attempts" USING btree ("item") WHERE "merge_queue_landing_attempts"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "landings_open" ON "landings" USING btree ("project") WHERE "landings"."pull_request" is not null and "landings"."phase" not in ('landed', 'closed_out', 'closed');--> statement-breakpoint
ALTER TABLE "landings" ADD CONSTRAINT "landings_attempt_of_state" CHECK (coalesce(("landings"."state" ->> 'attempt')::integer, 0) = "landings"."attempt");--> statement-breakpoint
ALTER TABLE "landings" ADD CONSTRAINT "landings_phase_known" CHECK ("landings"."phase" is not null and "landings"."phase" in ('unarmed', 'pending', 'waiting_reentry', 'held', 'stopped', 'landed', 'closed_out', 'closed'));