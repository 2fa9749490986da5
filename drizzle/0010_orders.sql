-- Moments were those of a sequence. From here on a session counts its own, past all that there are.
lock table chat_session in exclusive mode;
--> statement-breakpoint
update chat_session session set touches = session.touches + last.moment
from (
  select greatest(
    (select max(greatest(compaction_id, removed_moment)) from chat_compaction),
    (select max(event_id) from chat_skill_event),
    (select max(seen_as_of) from chat_branch)
  ) as moment
) last
where last.moment is not null;
--> statement-breakpoint
ALTER TABLE "chat_skill_event" ADD COLUMN "n" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_skill_event" DROP CONSTRAINT "chat_skill_event_owner_id_branch_id_pos_event_id_pk";--> statement-breakpoint
ALTER TABLE "chat_block" ALTER COLUMN "moment" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "chat_compaction" ALTER COLUMN "compaction_id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "chat_proposal" ALTER COLUMN "moment" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "chat_search" ALTER COLUMN "seq" SET DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint;--> statement-breakpoint
ALTER TABLE "chat_skill_event" ALTER COLUMN "event_id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "chat_skill_event" ADD CONSTRAINT "chat_skill_event_owner_id_branch_id_pos_event_id_n_pk" PRIMARY KEY("owner_id","branch_id","pos","event_id","n");--> statement-breakpoint
DROP SEQUENCE "public"."chat_moment";--> statement-breakpoint
DROP SEQUENCE "public"."chat_search_seq";