-- btree_gin lets one index hold the owner beside the words; pg_trgm finds words that were meant.
create extension if not exists btree_gin;
--> statement-breakpoint
create extension if not exists pg_trgm;
--> statement-breakpoint
CREATE SCHEMA "bookkeeping";
--> statement-breakpoint
CREATE SEQUENCE "public"."chat_moment" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."chat_search_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
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
CREATE TABLE "bookkeeping"."applied_functions" (
	"hash" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bookkeeping"."backup_attempt" (
	"id" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"lease_until" timestamp with time zone,
	"succeeded_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "chat_block" (
	"owner_id" text NOT NULL,
	"session_id" text DEFAULT '' NOT NULL,
	"block_id" text NOT NULL,
	"label" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"scope" text NOT NULL,
	"writers" text NOT NULL,
	"max_tokens" integer,
	"origin" text NOT NULL,
	"moment" bigint DEFAULT nextval('chat_moment') NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "chat_block_owner_id_session_id_block_id_pk" PRIMARY KEY("owner_id","session_id","block_id"),
	CONSTRAINT "chat_block_label_size" CHECK (length(label) between 1 and 200),
	CONSTRAINT "chat_block_kind" CHECK (kind in ('writable', 'searchable', 'loadable')),
	CONSTRAINT "chat_block_scope" CHECK (scope = 'session' or (scope = 'owner' and session_id = '')),
	CONSTRAINT "chat_block_writers" CHECK (writers in ('person', 'both')),
	CONSTRAINT "chat_block_origin" CHECK (origin in ('app', 'person', 'code'))
);
--> statement-breakpoint
CREATE TABLE "chat_branch" (
	"owner_id" text NOT NULL,
	"branch_id" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "chat_branch_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" text NOT NULL,
	"parent_branch" bigint,
	"base" integer NOT NULL,
	"head" integer NOT NULL,
	"touched" bigint DEFAULT 0 NOT NULL,
	"seen_as_of" bigint,
	"sparse" boolean DEFAULT false NOT NULL,
	CONSTRAINT "chat_branch_owner_id_branch_id_pk" PRIMARY KEY("owner_id","branch_id"),
	CONSTRAINT "chat_branch_range" CHECK (base >= 0 and head >= base and (parent_branch is not null or base = 0))
);
--> statement-breakpoint
CREATE TABLE "chat_compaction" (
	"owner_id" text NOT NULL,
	"compaction_id" bigint DEFAULT nextval('chat_moment') NOT NULL,
	"made_moment" bigint NOT NULL,
	"branch_id" bigint NOT NULL,
	"session_id" text NOT NULL,
	"id" text NOT NULL,
	"from_pos" integer NOT NULL,
	"to_pos" integer NOT NULL,
	"from_message_id" text NOT NULL,
	"to_message_id" text NOT NULL,
	"summary" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_moment" bigint,
	CONSTRAINT "chat_compaction_owner_id_branch_id_compaction_id_pk" PRIMARY KEY("owner_id","branch_id","compaction_id"),
	CONSTRAINT "chat_compaction_range" CHECK (from_pos between 1 and to_pos)
);
--> statement-breakpoint
CREATE TABLE "chat_deletion" (
	"owner_id" text NOT NULL,
	"deletion_id" text NOT NULL,
	"session_id" text NOT NULL,
	"leaf_before" text,
	"leaf_after" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text DEFAULT 'messages' NOT NULL,
	"block_id" text DEFAULT '' NOT NULL,
	"named" text[] DEFAULT '{}'::text[] NOT NULL,
	"removed" text[] DEFAULT '{}'::text[] NOT NULL,
	"versions" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"same_as" text,
	CONSTRAINT "chat_deletion_owner_id_deletion_id_pk" PRIMARY KEY("owner_id","deletion_id"),
	CONSTRAINT "chat_deletion_kind" CHECK (kind in ('messages', 'session', 'block', 'entry'))
);
--> statement-breakpoint
CREATE TABLE "chat_document" (
	"owner_id" text NOT NULL,
	"block_id" text NOT NULL,
	"session_id" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"description" text,
	"content" text,
	"tsv" "tsvector",
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_document_owner_id_block_id_session_id_key_pk" PRIMARY KEY("owner_id","block_id","session_id","key"),
	CONSTRAINT "chat_document_key_size" CHECK (length(key) <= 200)
);
--> statement-breakpoint
CREATE TABLE "chat_document_version" (
	"owner_id" text NOT NULL,
	"block_id" text NOT NULL,
	"session_id" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"content" text,
	"author" text NOT NULL,
	"written_in" text,
	"message_id" text,
	"proposal_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"program" text,
	CONSTRAINT "chat_document_version_owner_id_block_id_session_id_key_version_pk" PRIMARY KEY("owner_id","block_id","session_id","key","version"),
	CONSTRAINT "chat_document_version_author" CHECK (author in ('person', 'model', 'system', 'program'))
);
--> statement-breakpoint
CREATE TABLE "chat_file" (
	"owner_id" text NOT NULL,
	"sha256" text NOT NULL,
	"size" bigint NOT NULL,
	"media_type" text NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"object" text,
	"complete" boolean DEFAULT false NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_file_owner_id_sha256_pk" PRIMARY KEY("owner_id","sha256"),
	CONSTRAINT "chat_file_sha256" CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "chat_file_chunk" (
	"owner_id" text NOT NULL,
	"sha256" text NOT NULL,
	"n" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "chat_file_chunk_owner_id_sha256_n_pk" PRIMARY KEY("owner_id","sha256","n")
);
--> statement-breakpoint
CREATE TABLE "chat_file_page" (
	"owner_id" text NOT NULL,
	"sha256" text NOT NULL,
	"page" integer NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"tsv" "tsvector" NOT NULL,
	CONSTRAINT "chat_file_page_owner_id_sha256_page_pk" PRIMARY KEY("owner_id","sha256","page")
);
--> statement-breakpoint
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
CREATE TABLE "chat_message" (
	"owner_id" text NOT NULL,
	"branch_id" bigint NOT NULL,
	"pos" integer NOT NULL,
	"session_id" text NOT NULL,
	"id" text NOT NULL,
	"role" text NOT NULL,
	"ordinal" bigint NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"label" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deletion_id" text,
	"deleted_at" timestamp with time zone,
	"preview" text NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "chat_message_owner_id_branch_id_pos_pk" PRIMARY KEY("owner_id","branch_id","pos"),
	CONSTRAINT "chat_message_id" UNIQUE("owner_id","session_id","id"),
	CONSTRAINT "chat_message_role" CHECK (role in ('system', 'user', 'assistant'))
);
--> statement-breakpoint
CREATE TABLE "chat_owner" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"words_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_proposal" (
	"owner_id" text NOT NULL,
	"proposal_id" text NOT NULL,
	"session_id" text,
	"message_id" text,
	"block_id" text NOT NULL,
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
	"program" text,
	CONSTRAINT "chat_proposal_owner_id_proposal_id_pk" PRIMARY KEY("owner_id","proposal_id"),
	CONSTRAINT "chat_proposal_action" CHECK (action in ('replace', 'append')),
	CONSTRAINT "chat_proposal_status" CHECK (status in ('open', 'accepted', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "chat_run" (
	"owner_id" text NOT NULL,
	"run_id" text NOT NULL,
	"kind" text DEFAULT 'answer' NOT NULL,
	"session_id" text NOT NULL,
	"message_id" text NOT NULL,
	"parent_id" text NOT NULL,
	"model" text NOT NULL,
	"status" text NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"stop_requested" boolean DEFAULT false NOT NULL,
	"receipt" jsonb,
	"plan" jsonb,
	"error" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"request" jsonb,
	"key_id" text,
	"pause" jsonb,
	"questions" jsonb,
	"unread" boolean DEFAULT false NOT NULL,
	CONSTRAINT "chat_run_owner_id_run_id_pk" PRIMARY KEY("owner_id","run_id"),
	CONSTRAINT "chat_run_message" UNIQUE("owner_id","session_id","message_id"),
	CONSTRAINT "chat_run_kind" CHECK (kind in ('answer', 'summary')),
	CONSTRAINT "chat_run_status" CHECK (status in ('running', 'paused', 'complete', 'stopped', 'interrupted', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "chat_search" (
	"owner_id" text NOT NULL,
	"seq" bigint DEFAULT nextval('chat_search_seq') NOT NULL,
	"branch_id" bigint NOT NULL,
	"pos" integer NOT NULL,
	"compaction_id" bigint DEFAULT 0 NOT NULL,
	"session_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tsv" "tsvector" NOT NULL,
	CONSTRAINT "chat_search_owner_id_branch_id_pos_compaction_id_pk" PRIMARY KEY("owner_id","branch_id","pos","compaction_id")
) PARTITION BY HASH ("owner_id");
--> statement-breakpoint
CREATE TABLE "chat_search_0" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 0);
--> statement-breakpoint
CREATE TABLE "chat_search_1" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 1);
--> statement-breakpoint
CREATE TABLE "chat_search_2" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 2);
--> statement-breakpoint
CREATE TABLE "chat_search_3" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 3);
--> statement-breakpoint
CREATE TABLE "chat_search_4" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 4);
--> statement-breakpoint
CREATE TABLE "chat_search_5" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 5);
--> statement-breakpoint
CREATE TABLE "chat_search_6" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 6);
--> statement-breakpoint
CREATE TABLE "chat_search_7" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 7);
--> statement-breakpoint
CREATE TABLE "chat_search_8" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 8);
--> statement-breakpoint
CREATE TABLE "chat_search_9" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 9);
--> statement-breakpoint
CREATE TABLE "chat_search_10" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 10);
--> statement-breakpoint
CREATE TABLE "chat_search_11" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 11);
--> statement-breakpoint
CREATE TABLE "chat_search_12" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 12);
--> statement-breakpoint
CREATE TABLE "chat_search_13" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 13);
--> statement-breakpoint
CREATE TABLE "chat_search_14" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 14);
--> statement-breakpoint
CREATE TABLE "chat_search_15" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS 16, REMAINDER 15);
--> statement-breakpoint
CREATE TABLE "chat_secret" (
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"description" jsonb NOT NULL,
	"sealed" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_secret_owner_id_name_pk" PRIMARY KEY("owner_id","name")
);
--> statement-breakpoint
CREATE TABLE "chat_session" (
	"owner_id" text NOT NULL,
	"session_id" text NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"active_branch" bigint,
	"active_pos" integer,
	"touches" bigint DEFAULT 0 NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"skills_before" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"parent_session_id" text,
	"forked_at_message_id" text,
	"model" text,
	"source" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost" double precision DEFAULT 0 NOT NULL,
	"frozen_prompt" text,
	"frozen_versions" jsonb,
	"pinned_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"expires_after_ms" bigint,
	"expires_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_day" timestamp with time zone GENERATED ALWAYS AS (date_bin('1 day', updated_at, '2000-01-01 00:00:00+00')) STORED,
	CONSTRAINT "chat_session_owner_id_session_id_pk" PRIMARY KEY("owner_id","session_id"),
	CONSTRAINT "chat_session_id_size" CHECK (length(session_id) between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "chat_skill_event" (
	"owner_id" text NOT NULL,
	"event_id" bigint DEFAULT nextval('chat_moment') NOT NULL,
	"branch_id" bigint NOT NULL,
	"pos" integer NOT NULL,
	"session_id" text NOT NULL,
	"label" text NOT NULL,
	"key" text NOT NULL,
	"action" text NOT NULL,
	"noted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "chat_skill_event_owner_id_branch_id_pos_event_id_pk" PRIMARY KEY("owner_id","branch_id","pos","event_id"),
	CONSTRAINT "chat_skill_event_action" CHECK (action in ('load', 'unload'))
);
--> statement-breakpoint
CREATE TABLE "chat_stream" (
	"owner_id" text NOT NULL,
	"run_id" text NOT NULL,
	"n" integer NOT NULL,
	"size" smallint NOT NULL,
	"delta" text NOT NULL,
	CONSTRAINT "chat_stream_owner_id_run_id_n_pk" PRIMARY KEY("owner_id","run_id","n")
);
--> statement-breakpoint
CREATE TABLE "chat_usage" (
	"owner_id" text NOT NULL,
	"usage_id" text NOT NULL,
	"kind" text NOT NULL,
	"session_id" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost" double precision,
	"reported" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"key_id" text,
	CONSTRAINT "chat_usage_owner_id_usage_id_pk" PRIMARY KEY("owner_id","usage_id"),
	CONSTRAINT "chat_usage_kind" CHECK (kind in ('answer', 'summary', 'title'))
);
--> statement-breakpoint
CREATE TABLE "chat_word" (
	"owner_id" text NOT NULL,
	"word" text NOT NULL,
	CONSTRAINT "chat_word_owner_id_word_pk" PRIMARY KEY("owner_id","word")
);
--> statement-breakpoint
CREATE TABLE "bookkeeping"."word_analysis" (
	"version" integer PRIMARY KEY NOT NULL,
	"place" jsonb,
	"done" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_actor_account_user_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_subject_account_user_id_fk" FOREIGN KEY ("subject") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invite" ADD CONSTRAINT "account_invite_created_by_account_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_login" ADD CONSTRAINT "account_login_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_passkey" ADD CONSTRAINT "account_passkey_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_two_factor" ADD CONSTRAINT "account_two_factor_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_branch" ADD CONSTRAINT "chat_branch_session" FOREIGN KEY ("owner_id","session_id") REFERENCES "public"."chat_session"("owner_id","session_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_branch" ADD CONSTRAINT "chat_branch_parent" FOREIGN KEY ("owner_id","parent_branch") REFERENCES "public"."chat_branch"("owner_id","branch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_compaction" ADD CONSTRAINT "chat_compaction_branch" FOREIGN KEY ("owner_id","branch_id") REFERENCES "public"."chat_branch"("owner_id","branch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_document_version" ADD CONSTRAINT "chat_document_version_of" FOREIGN KEY ("owner_id","block_id","session_id","key") REFERENCES "public"."chat_document"("owner_id","block_id","session_id","key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file_chunk" ADD CONSTRAINT "chat_file_chunk_file" FOREIGN KEY ("owner_id","sha256") REFERENCES "public"."chat_file"("owner_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file_page" ADD CONSTRAINT "chat_file_page_file" FOREIGN KEY ("owner_id","sha256") REFERENCES "public"."chat_file"("owner_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_branch" FOREIGN KEY ("owner_id","branch_id") REFERENCES "public"."chat_branch"("owner_id","branch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_proposal" ADD CONSTRAINT "chat_proposal_session" FOREIGN KEY ("owner_id","session_id") REFERENCES "public"."chat_session"("owner_id","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_run" ADD CONSTRAINT "chat_run_session" FOREIGN KEY ("owner_id","session_id") REFERENCES "public"."chat_session"("owner_id","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_skill_event" ADD CONSTRAINT "chat_skill_event_branch" FOREIGN KEY ("owner_id","branch_id") REFERENCES "public"."chat_branch"("owner_id","branch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_event_made" ON "account_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_invite_made" ON "account_invite" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_login_of_user" ON "account_login" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_passkey_of_user" ON "account_passkey" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_session_of_user" ON "account_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_two_factor_of_user" ON "account_two_factor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_two_factor_secret" ON "account_two_factor" USING btree ("secret");--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_one_owner" ON "account_user" USING btree ("role") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "account_verification_identifier" ON "account_verification" USING btree ("identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_block_label" ON "chat_block" USING btree ("owner_id","session_id","scope","label") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "chat_branch_of_session" ON "chat_branch" USING btree ("owner_id","session_id");--> statement-breakpoint
CREATE INDEX "chat_branch_borrowing" ON "chat_branch" USING btree ("owner_id","session_id") WHERE seen_as_of is not null;--> statement-breakpoint
CREATE INDEX "chat_branch_children" ON "chat_branch" USING btree ("owner_id","parent_branch","base");--> statement-breakpoint
CREATE INDEX "chat_compaction_on_branch" ON "chat_compaction" USING btree ("owner_id","branch_id","to_pos");--> statement-breakpoint
CREATE INDEX "chat_compaction_of_session" ON "chat_compaction" USING btree ("owner_id","session_id");--> statement-breakpoint
CREATE INDEX "chat_deletion_newest" ON "chat_deletion" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "chat_document_of_session" ON "chat_document" USING btree ("owner_id","session_id");--> statement-breakpoint
CREATE INDEX "chat_document_words" ON "chat_document" USING gin ("owner_id","tsv");--> statement-breakpoint
CREATE INDEX "chat_document_version_of_message" ON "chat_document_version" USING btree ("owner_id","written_in","message_id") WHERE message_id is not null;--> statement-breakpoint
CREATE INDEX "chat_file_touched" ON "chat_file" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "chat_file_page_words" ON "chat_file_page" USING gin ("owner_id","tsv");--> statement-breakpoint
CREATE INDEX "chat_key_hash" ON "chat_key" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "chat_message_pinned" ON "chat_message" USING btree ("owner_id","branch_id","pos") WHERE pinned;--> statement-breakpoint
CREATE INDEX "chat_message_deleted" ON "chat_message" USING btree ("owner_id","branch_id","pos") WHERE deletion_id is not null;--> statement-breakpoint
CREATE INDEX "chat_message_files" ON "chat_message" USING btree ("owner_id","session_id") WHERE content like '%grove-file:%';--> statement-breakpoint
CREATE INDEX "chat_proposal_of_session" ON "chat_proposal" USING btree ("owner_id","session_id","moment");--> statement-breakpoint
CREATE INDEX "chat_proposal_open" ON "chat_proposal" USING btree ("owner_id","moment") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "chat_run_running" ON "chat_run" USING btree ("lease_until") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "chat_run_summaries" ON "chat_run" USING btree ("owner_id","session_id","started_at") WHERE kind = 'summary';--> statement-breakpoint
CREATE INDEX "chat_run_marks" ON "chat_run" USING btree ("owner_id","session_id") WHERE status in ('running', 'paused') or unread;--> statement-breakpoint
CREATE INDEX "chat_search_words" ON "chat_search" USING gin ("owner_id","tsv");--> statement-breakpoint
CREATE INDEX "chat_search_newest" ON "chat_search" USING btree ("owner_id","seq");--> statement-breakpoint
CREATE INDEX "chat_session_list" ON "chat_session" USING btree ("owner_id",(pinned_at is not null) desc,updated_day desc) WHERE deleted_at is null and archived_at is null;--> statement-breakpoint
CREATE INDEX "chat_session_parent" ON "chat_session" USING btree ("owner_id","parent_session_id") WHERE parent_session_id is not null;--> statement-breakpoint
CREATE INDEX "chat_session_expiry" ON "chat_session" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "chat_usage_by_time" ON "chat_usage" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "chat_usage_by_key" ON "chat_usage" USING btree ("owner_id","key_id","created_at") WHERE key_id is not null;--> statement-breakpoint
CREATE INDEX "chat_word_similar" ON "chat_word" USING gin ("owner_id","word" gin_trgm_ops);