CREATE TABLE "chat_share" (
	"owner_id" text NOT NULL,
	"share_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"token" text NOT NULL,
	"made_by" text NOT NULL,
	"session_id" text NOT NULL,
	"leaf_id" text,
	"title" text NOT NULL,
	"shows" jsonb NOT NULL,
	"audience" text NOT NULL,
	"people" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"password" text,
	"expires_at" timestamp with time zone,
	"edition" integer DEFAULT 1 NOT NULL,
	"page_bytes" bigint NOT NULL,
	"copy_bytes" bigint NOT NULL,
	"taken_down_at" timestamp with time zone,
	"views" bigint DEFAULT 0 NOT NULL,
	"last_viewed_at" timestamp with time zone,
	"reports" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_share_owner_id_share_id_pk" PRIMARY KEY("owner_id","share_id"),
	CONSTRAINT "chat_share_token" UNIQUE("token_hash"),
	CONSTRAINT "chat_share_audience" CHECK (audience in ('anyone', 'house', 'people'))
);
--> statement-breakpoint
CREATE TABLE "chat_share_piece" (
	"owner_id" text NOT NULL,
	"share_id" text NOT NULL,
	"edition" integer NOT NULL,
	"kind" text NOT NULL,
	"n" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "chat_share_piece_owner_id_share_id_edition_kind_n_pk" PRIMARY KEY("owner_id","share_id","edition","kind","n"),
	CONSTRAINT "chat_share_piece_kind" CHECK (kind in ('page', 'copy'))
);
--> statement-breakpoint
ALTER TABLE "chat_share_piece" ADD CONSTRAINT "chat_share_piece_share" FOREIGN KEY ("owner_id","share_id") REFERENCES "public"."chat_share"("owner_id","share_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_share_reported" ON "chat_share" USING btree ("reports") WHERE reports > 0;