ALTER TABLE "chat_branch" ADD COLUMN "sparse" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "chat_compaction_of_session" ON "chat_compaction" USING btree ("owner_id","session_id");--> statement-breakpoint
CREATE INDEX "chat_document_version_of_message" ON "chat_document_version" USING btree ("owner_id","session_id","message_id") WHERE message_id is not null;--> statement-breakpoint
CREATE INDEX "chat_search_newest" ON "chat_search" USING btree ("owner_id","seq");--> statement-breakpoint
-- Branches that were copied before this column knew about gaps.
UPDATE "chat_branch" branch SET "sparse" = true WHERE branch.head - branch.base > (
  SELECT count(*) FROM "chat_message" message
  WHERE message.owner_id = branch.owner_id AND message.branch_id = branch.branch_id
);--> statement-breakpoint
-- Words not yet in the index are read by every search: keep them few.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'chat_search_words'::regclass LOOP
    EXECUTE format('ALTER INDEX %s SET (gin_pending_list_limit = 256)', part);
  END LOOP;
END
$$;--> statement-breakpoint
-- Their results change, which replacing them does not allow.
DROP FUNCTION IF EXISTS chat_fork(text, text, text, text, text, boolean);--> statement-breakpoint
DROP FUNCTION IF EXISTS chat_borrow(text, text, bigint, integer, bigint);
