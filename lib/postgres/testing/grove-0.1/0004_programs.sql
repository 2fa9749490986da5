CREATE TABLE "chat_key" (
	"owner_id" text NOT NULL,
	"key_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_key_owner_id_key_id_pk" PRIMARY KEY("owner_id","key_id")
);
--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "request" jsonb;--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "chat_usage" ADD COLUMN "key_id" text;--> statement-breakpoint
CREATE INDEX "chat_key_hash" ON "chat_key" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "chat_usage_by_key" ON "chat_usage" USING btree ("owner_id","key_id","created_at") WHERE key_id is not null;