CREATE TABLE "account_app" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"client_discovery_id" text,
	"disabled" boolean DEFAULT false,
	"scopes" text[],
	"client_credentials_scopes" text[],
	"name" text,
	"redirect_uris" text[] NOT NULL,
	"token_endpoint_auth_method" text,
	"application_type" text,
	"grant_types" text[],
	"response_types" text[],
	"require_pkce" boolean,
	"dpop_bound_access_tokens" boolean DEFAULT false,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_app_client" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "account_app_access" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"client_id" text NOT NULL,
	"session_id" text,
	"user_id" text NOT NULL,
	"reference_id" text,
	"authorization_code_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"scopes" text[] NOT NULL,
	"confirmation" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked" timestamp with time zone,
	"refresh_id" text,
	CONSTRAINT "account_app_access_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "account_app_consent" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"reference_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_app_refresh" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"client_id" text NOT NULL,
	"session_id" text,
	"user_id" text NOT NULL,
	"reference_id" text,
	"authorization_code_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"scopes" text[] NOT NULL,
	"confirmation" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked" timestamp with time zone,
	"rotated_at" timestamp with time zone,
	"rotation_replay_response" text,
	"rotation_replay_expires_at" timestamp with time zone,
	"auth_time" timestamp with time zone,
	CONSTRAINT "account_app_refresh_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "account_app_access" ADD CONSTRAINT "account_app_access_client_id_account_app_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."account_app"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_access" ADD CONSTRAINT "account_app_access_session_id_account_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."account_session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_access" ADD CONSTRAINT "account_app_access_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_access" ADD CONSTRAINT "account_app_access_refresh_id_account_app_refresh_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "public"."account_app_refresh"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_consent" ADD CONSTRAINT "account_app_consent_client_id_account_app_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."account_app"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_consent" ADD CONSTRAINT "account_app_consent_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_refresh" ADD CONSTRAINT "account_app_refresh_client_id_account_app_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."account_app"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_refresh" ADD CONSTRAINT "account_app_refresh_session_id_account_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."account_session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_app_refresh" ADD CONSTRAINT "account_app_refresh_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_app_made" ON "account_app" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_app_access_of_user" ON "account_app_access" USING btree ("user_id","reference_id");--> statement-breakpoint
CREATE INDEX "account_app_access_of_app" ON "account_app_access" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "account_app_access_of_session" ON "account_app_access" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "account_app_access_of_code" ON "account_app_access" USING btree ("authorization_code_id");--> statement-breakpoint
CREATE INDEX "account_app_access_of_refresh" ON "account_app_access" USING btree ("refresh_id");--> statement-breakpoint
CREATE INDEX "account_app_access_expiry" ON "account_app_access" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_app_consent_of_user" ON "account_app_consent" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "account_app_refresh_of_user" ON "account_app_refresh" USING btree ("user_id","reference_id");--> statement-breakpoint
CREATE INDEX "account_app_refresh_of_app" ON "account_app_refresh" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "account_app_refresh_of_session" ON "account_app_refresh" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "account_app_refresh_of_code" ON "account_app_refresh" USING btree ("authorization_code_id");--> statement-breakpoint
CREATE INDEX "account_app_refresh_expiry" ON "account_app_refresh" USING btree ("expires_at");