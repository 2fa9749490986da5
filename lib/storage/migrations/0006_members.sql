CREATE TABLE "account_invitation" (
	"invitation_id" text PRIMARY KEY NOT NULL,
	"space_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"role" text NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone DEFAULT now() + interval '7 days' NOT NULL,
	CONSTRAINT "account_invitation_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "account_invitation_role" CHECK (role in ('writer', 'reader'))
);
--> statement-breakpoint
ALTER TABLE "account_invitation" ADD CONSTRAINT "account_invitation_space_id_account_space_space_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."account_space"("space_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_invitation_of_space" ON "account_invitation" USING btree ("space_id");