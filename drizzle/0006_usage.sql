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
	CONSTRAINT "chat_usage_owner_id_usage_id_pk" PRIMARY KEY("owner_id","usage_id"),
	CONSTRAINT "chat_usage_kind" CHECK (kind in ('answer', 'summary', 'title'))
);
--> statement-breakpoint
CREATE INDEX "chat_usage_by_time" ON "chat_usage" USING btree ("owner_id","created_at");
--> statement-breakpoint
-- What answers have taken so far stands in their receipts. `->` and not `->>`: it does not unescape what it passes over.
insert into chat_usage (
  owner_id, usage_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported, created_at
)
select
  run.owner_id, 'answer ' || run.run_id, 'answer', run.session_id, run.model,
  (run.receipt::json -> 'usage' -> 'inputTokens')::text::bigint,
  coalesce((run.receipt::json -> 'usage' -> 'cachedInputTokens')::text::bigint, 0),
  (run.receipt::json -> 'usage' -> 'outputTokens')::text::bigint,
  nullif((run.receipt::json -> 'cost')::text, 'null')::double precision,
  true,
  coalesce(run.finished_at, run.started_at)
from chat_run run
where json_typeof(run.receipt::json -> 'usage' -> 'inputTokens') = 'number'
  and json_typeof(run.receipt::json -> 'usage' -> 'outputTokens') = 'number';
