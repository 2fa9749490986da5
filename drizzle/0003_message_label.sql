ALTER TABLE "chat_message" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_label_size" CHECK (length(label) between 1 and 80);