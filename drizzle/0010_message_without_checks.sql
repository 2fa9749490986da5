-- Parsed anew for every statement that writes a message, a tenth of an append. `assertStorable`, `storableLabel` and the
-- records of an import refuse the same before a row is written.
ALTER TABLE "chat_message" DROP CONSTRAINT "chat_message_id_size";--> statement-breakpoint
ALTER TABLE "chat_message" DROP CONSTRAINT "chat_message_label_size";--> statement-breakpoint
ALTER TABLE "chat_message" DROP CONSTRAINT "chat_message_role";
