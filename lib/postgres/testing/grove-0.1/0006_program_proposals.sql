ALTER TABLE "chat_document_version" DROP CONSTRAINT "chat_document_version_author";--> statement-breakpoint
ALTER TABLE "chat_proposal" ALTER COLUMN "session_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_document_version" ADD COLUMN "program" text;--> statement-breakpoint
ALTER TABLE "chat_proposal" ADD COLUMN "program" text;--> statement-breakpoint
ALTER TABLE "chat_document_version" ADD CONSTRAINT "chat_document_version_author" CHECK (author in ('person', 'model', 'system', 'program'));