ALTER TABLE "chat_run" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "chat_usage" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "chat_usage" ADD COLUMN "space_id" text;--> statement-breakpoint
ALTER TABLE "chat_usage" ADD COLUMN "reserved_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "chat_usage_reserved" ON "chat_usage" USING btree ("reserved_until") WHERE reserved_until is not null;