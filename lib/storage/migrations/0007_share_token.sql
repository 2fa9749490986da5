ALTER TABLE "chat_share" DROP CONSTRAINT "chat_share_token";--> statement-breakpoint
CREATE INDEX "chat_share_token" ON "chat_share" USING btree ("token_hash");