CREATE TABLE "account_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"actor" text,
	"subject" text,
	"email" text,
	"address" text,
	"detail" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_invite" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"role" text NOT NULL,
	"email" text,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "account_invite_hash" UNIQUE("hash"),
	CONSTRAINT "account_invite_role" CHECK (role in ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "account_login" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_login_identity" UNIQUE("provider_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "account_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"aaguid" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_passkey_credential" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "account_policy" (
	"id" integer PRIMARY KEY NOT NULL,
	"environment_keys" text DEFAULT 'everyone' NOT NULL,
	CONSTRAINT "account_policy_keys" CHECK (environment_keys in ('everyone', 'admins'))
);
--> statement-breakpoint
CREATE TABLE "account_session" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_session_token" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "account_two_factor" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT true,
	"failed_verification_count" integer DEFAULT 0,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "account_user" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"two_factor_enabled" boolean DEFAULT false,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_user_owner" UNIQUE("owner_id"),
	CONSTRAINT "account_user_email" UNIQUE("email"),
	CONSTRAINT "account_user_role" CHECK (role in ('owner', 'admin', 'member')),
	CONSTRAINT "account_user_email_case" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "account_verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "questions" jsonb;--> statement-breakpoint
ALTER TABLE "chat_run" ADD COLUMN "unread" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_actor_account_user_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_subject_account_user_id_fk" FOREIGN KEY ("subject") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invite" ADD CONSTRAINT "account_invite_created_by_account_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_login" ADD CONSTRAINT "account_login_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_passkey" ADD CONSTRAINT "account_passkey_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_two_factor" ADD CONSTRAINT "account_two_factor_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_event_made" ON "account_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_invite_made" ON "account_invite" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_login_of_user" ON "account_login" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_passkey_of_user" ON "account_passkey" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_session_of_user" ON "account_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_two_factor_of_user" ON "account_two_factor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_two_factor_secret" ON "account_two_factor" USING btree ("secret");--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_one_owner" ON "account_user" USING btree ("role") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "account_verification_identifier" ON "account_verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "chat_run_marks" ON "chat_run" USING btree ("owner_id","session_id") WHERE status in ('running', 'paused') or unread;