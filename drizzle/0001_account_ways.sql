CREATE TABLE "chat_clearing" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "chat_clearing_kind" CHECK (kind in ('data', 'account'))
);
--> statement-breakpoint
ALTER TABLE "account_invite" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "account_session" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_invite" ADD CONSTRAINT "account_invite_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;