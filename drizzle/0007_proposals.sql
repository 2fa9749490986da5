CREATE TABLE "chat_proposal" (
	"owner_id" text NOT NULL,
	"proposal_id" text NOT NULL,
	"session_id" text NOT NULL,
	"message_id" text,
	"label" text NOT NULL,
	"key" text,
	"title" text,
	"description" text,
	"action" text NOT NULL,
	"content" text NOT NULL,
	"base_version" integer,
	"status" text DEFAULT 'open' NOT NULL,
	"version" integer,
	"moment" bigint DEFAULT nextval('chat_moment') NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "chat_proposal_owner_id_proposal_id_pk" PRIMARY KEY("owner_id","proposal_id"),
	CONSTRAINT "chat_proposal_action" CHECK (action in ('replace', 'append')),
	CONSTRAINT "chat_proposal_status" CHECK (status in ('open', 'accepted', 'declined'))
);
--> statement-breakpoint
ALTER TABLE "chat_document_version" ADD COLUMN "proposal_id" text;--> statement-breakpoint
ALTER TABLE "chat_session" ADD COLUMN "frozen_versions" text;--> statement-breakpoint
ALTER TABLE "chat_proposal" ADD CONSTRAINT "chat_proposal_session" FOREIGN KEY ("owner_id","session_id") REFERENCES "public"."chat_session"("owner_id","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_proposal_of_session" ON "chat_proposal" USING btree ("owner_id","session_id","moment");--> statement-breakpoint
CREATE INDEX "chat_proposal_open" ON "chat_proposal" USING btree ("owner_id","moment") WHERE status = 'open';