CREATE TABLE "chat_block" (
	"owner_id" text NOT NULL,
	"scope" text NOT NULL,
	"label" text NOT NULL,
	"description" text NOT NULL,
	"kind" text NOT NULL,
	"writers" text NOT NULL,
	"max_tokens" integer,
	"deleted_label" text,
	"moment" bigint DEFAULT nextval('chat_moment') NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_block_owner_id_scope_label_pk" PRIMARY KEY("owner_id","scope","label"),
	CONSTRAINT "chat_block_label_size" CHECK (length(label) between 1 and 200),
	CONSTRAINT "chat_block_kind" CHECK (kind in ('readonly', 'writable', 'searchable', 'loadable')),
	CONSTRAINT "chat_block_writers" CHECK (writers in ('person', 'both'))
);
--> statement-breakpoint
ALTER TABLE "chat_document_version" DROP CONSTRAINT "chat_document_version_of";
--> statement-breakpoint
ALTER TABLE "chat_document_version" ADD CONSTRAINT "chat_document_version_of" FOREIGN KEY ("owner_id","scope","label","key") REFERENCES "public"."chat_document"("owner_id","scope","label","key") ON DELETE cascade ON UPDATE cascade;