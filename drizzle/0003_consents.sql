CREATE TABLE "chat_consent" (
	"owner_id" text NOT NULL,
	"session_id" text NOT NULL,
	"tool" text NOT NULL,
	"version" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_consent_owner_id_session_id_tool_version_pk" PRIMARY KEY("owner_id","session_id","tool","version")
);
--> statement-breakpoint
ALTER TABLE "chat_consent" ADD CONSTRAINT "chat_consent_session" FOREIGN KEY ("owner_id","session_id") REFERENCES "public"."chat_session"("owner_id","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Consents were keys of a chat's metadata, which an import could write too. Moved are those of tools that are named in an
-- answer of the chat one of whose calls the person has approved; any other tool asks again.
insert into chat_consent (owner_id, session_id, tool, version)
select session.owner_id, session.session_id, named.tool, substr(consent.rest, length(named.tool) + 2)
from chat_session session
cross join lateral jsonb_each(
  case when jsonb_typeof(session.metadata) = 'object' then session.metadata else '{}' end
) pair
cross join lateral (select substr(pair.key, length('allowed ' || session.session_id || ' ') + 1) as rest) consent
cross join lateral (select split_part(consent.rest, ' ', 1) as tool) named
where starts_with(pair.key, 'allowed ' || session.session_id || ' ') and pair.value = 'true'
  and exists (
    select from chat_run run
    join chat_message message
      on message.owner_id = run.owner_id and message.session_id = run.session_id and message.id = run.message_id
    where run.owner_id = session.owner_id and run.session_id = session.session_id
      and run.pause @? '$.calls[*].decision ? (@.approved == true)'
      and (
        strpos(message.content, '"type":"tool-' || named.tool || '"') > 0
        or strpos(message.content, '"toolName":"' || named.tool || '"') > 0
      )
  )
on conflict do nothing;
--> statement-breakpoint
update chat_session session
set metadata = session.metadata - array(
  select key from jsonb_object_keys(session.metadata) key where starts_with(key, 'allowed ')
)
where exists (
  select from jsonb_object_keys(
    case when jsonb_typeof(session.metadata) = 'object' then session.metadata else '{}' end
  ) key
  where starts_with(key, 'allowed ')
);
