ALTER TABLE "chat_run" ADD COLUMN "kind" text DEFAULT 'answer' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "plan" text;--> statement-breakpoint
CREATE INDEX "chat_run_summaries" ON "chat_run" USING btree ("owner_id","session_id","started_at") WHERE kind = 'summary';--> statement-breakpoint
ALTER TABLE "chat_run" ADD CONSTRAINT "chat_run_kind" CHECK (kind in ('answer', 'summary'));