ALTER TABLE "chat_run" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "chat_usage" ADD COLUMN "person_id" text;