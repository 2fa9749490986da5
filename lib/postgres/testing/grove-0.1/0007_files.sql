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
ALTER TABLE "chat_file_chunk" ADD CONSTRAINT "chat_file_chunk_file" FOREIGN KEY ("owner_id","sha256") REFERENCES "public"."chat_file"("owner_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file_page" ADD CONSTRAINT "chat_file_page_file" FOREIGN KEY ("owner_id","sha256") REFERENCES "public"."chat_file"("owner_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_file_touched" ON "chat_file" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "chat_file_page_words" ON "chat_file_page" USING gin ("owner_id","tsv");--> statement-breakpoint
CREATE INDEX "chat_message_files" ON "chat_message" USING btree ("owner_id","session_id") WHERE content like '%grove-file:%';