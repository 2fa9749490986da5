ALTER TABLE "chat_deletion" ADD COLUMN "kind" text DEFAULT 'messages' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD COLUMN "block_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD COLUMN "named" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD COLUMN "removed" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD COLUMN "versions" integer[] DEFAULT '{}'::integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD COLUMN "same_as" text;--> statement-breakpoint
CREATE INDEX "chat_deletion_newest" ON "chat_deletion" USING btree ("owner_id","created_at");--> statement-breakpoint
ALTER TABLE "chat_deletion" ADD CONSTRAINT "chat_deletion_kind" CHECK (kind in ('messages', 'session', 'block', 'entry'));--> statement-breakpoint
-- What is deleted already was never listed and had no end: its time starts now.
UPDATE "chat_session" SET "deleted_at" = now() WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "chat_deletion" ("owner_id", "deletion_id", "kind", "session_id")
SELECT "owner_id", gen_random_uuid()::text, 'session', "session_id"
FROM "chat_session" WHERE "deleted_at" IS NOT NULL AND "source" IS DISTINCT FROM 'importing';--> statement-breakpoint
UPDATE "chat_block" SET "deleted_at" = now() WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "chat_deletion" ("owner_id", "deletion_id", "kind", "session_id", "block_id")
SELECT "owner_id", gen_random_uuid()::text, 'block', "session_id", "block_id"
FROM "chat_block" WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "chat_deletion" ("owner_id", "deletion_id", "kind", "session_id", "block_id", "named", "removed", "versions")
SELECT "owner_id", gen_random_uuid()::text, 'entry', "session_id", "block_id", array["key"], array["key"], array["version"]
FROM "chat_document" WHERE "content" IS NULL AND "key" <> '';--> statement-breakpoint
UPDATE "chat_deletion" SET "created_at" = now(), "removed" = "gone"."ids", "named" = "gone"."ids"
FROM (
	SELECT "owner_id", "deletion_id", array_agg("id" ORDER BY "branch_id", "pos") AS "ids"
	FROM "chat_message" WHERE "deletion_id" IS NOT NULL GROUP BY "owner_id", "deletion_id"
) AS "gone"
WHERE "chat_deletion"."owner_id" = "gone"."owner_id" AND "chat_deletion"."deletion_id" = "gone"."deletion_id";
