CREATE TABLE "account_member" (
	"person_id" text NOT NULL,
	"space_id" text NOT NULL,
	"role" text NOT NULL,
	"personal_memory" boolean,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_member_person_id_space_id_pk" PRIMARY KEY("person_id","space_id"),
	CONSTRAINT "account_member_role" CHECK (role in ('owner', 'writer', 'reader'))
);
--> statement-breakpoint
CREATE TABLE "account_space" (
	"space_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"made_by" text NOT NULL,
	"default_model" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "account_space_id" CHECK (space_id ~ '^p-[0-9a-f-]{36}$')
);
--> statement-breakpoint
CREATE TABLE "chat_personal_prompt" (
	"owner_id" text NOT NULL,
	"part_id" text NOT NULL,
	"space_id" text NOT NULL,
	"session_id" text NOT NULL,
	"prompt" text NOT NULL,
	"versions" jsonb,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_personal_prompt_owner_id_part_id_pk" PRIMARY KEY("owner_id","part_id")
);
--> statement-breakpoint
ALTER TABLE "account_member" ADD CONSTRAINT "account_member_space_id_account_space_space_id_fk" FOREIGN KEY ("space_id") REFERENCES "public"."account_space"("space_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_member_of_space" ON "account_member" USING btree ("space_id");--> statement-breakpoint
CREATE INDEX "chat_personal_prompt_in_force" ON "chat_personal_prompt" USING btree ("owner_id","space_id","session_id","made_at");