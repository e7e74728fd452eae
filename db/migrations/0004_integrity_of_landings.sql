ALTER TABLE "notices" DROP CONSTRAINT "notices_kind_known";--> statement-breakpoint
ALTER TABLE "receipts" DROP CONSTRAINT "receipts_proof_known";--> statement-breakpoint
ALTER TABLE "receipts" DROP CONSTRAINT "receipts_close_out_whole";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "close_out" text DEFAULT 'ancestry' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "delete_remote_branches" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "integrity" jsonb;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "verified_by_group" boolean;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_kind_known" CHECK ("notices"."kind" in ('landed', 'stopped', 'queue_conflict', 'wrong_tree'));--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_close_out_known" CHECK ("projects"."close_out" in ('ancestry', 'content'));--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_proof_known" CHECK ("receipts"."proof" in ('ancestry', 'content'));--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_close_out_whole" CHECK (num_nulls("receipts"."carried_by", "receipts"."proof", "receipts"."changed_files", "receipts"."contributed_commits", "receipts"."closed_out_at") in (0, 5) and ("receipts"."closed_out_at" is not null or num_nonnulls("receipts"."result", "receipts"."verification", "receipts"."integrity", "receipts"."verified_by_group") = 0));