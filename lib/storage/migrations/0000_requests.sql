CREATE TABLE "chat_request" (
	"owner_id" text NOT NULL,
	"request_id" text NOT NULL,
	"made_id" text NOT NULL,
	"digest" text NOT NULL,
	"state" text NOT NULL,
	"claim" text NOT NULL,
	"claimed_until" timestamp with time zone NOT NULL,
	"status" integer,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_request_owner_id_request_id_pk" PRIMARY KEY("owner_id","request_id"),
	CONSTRAINT "chat_request_state" CHECK (state in ('running', 'begun', 'done'))
);
--> statement-breakpoint
CREATE INDEX "chat_request_expiry" ON "chat_request" USING btree ("expires_at");