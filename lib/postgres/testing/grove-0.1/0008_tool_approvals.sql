ALTER TABLE "chat_run" DROP CONSTRAINT "chat_run_status";--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "pause" jsonb;--> statement-breakpoint
ALTER TABLE "chat_run" ADD CONSTRAINT "chat_run_status" CHECK (status in ('running', 'paused', 'complete', 'stopped', 'interrupted', 'failed'));