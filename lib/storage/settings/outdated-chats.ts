import type { Sql } from "@/lib/postgres/connections/sql";

/**
 * Chats of programs that their key keeps no longer. Those that the person pinned, archived, tagged, forked, asked something
 * in, answered or not, or marked a message of are theirs, and stay; a restored one has its days again.
 */
export function outdatedChats(pool: Sql, most: number): Promise<{ owner: string; id: string }[]> {
  return pool<{ owner: string; id: string }[]>`
    select session.owner_id as owner, session.session_id as id
    from chat_key key
    join chat_session session
      on session.owner_id = key.owner_id and (session.metadata -> 'program' ->> 'keyId') = key.key_id
    where jsonb_typeof(key.scopes -> 'keptDays') = 'number'
      and session.deleted_at is null and session.archived_at is null
      and (session.metadata -> 'program' ->> 'keyId') is not null
      and session.source is distinct from 'importing'
      and session.pinned_at is null and session.parent_session_id is null
      and session.updated_at < now() - (key.scopes ->> 'keptDays')::float8 * interval '1 day'
      and not exists (
        select from chat_session fork
        where fork.owner_id = session.owner_id and fork.parent_session_id = session.session_id
      )
      and session.tags = '{}'
      and not exists (
        select from chat_run run
        where run.owner_id = session.owner_id and run.session_id = session.session_id
          and (run.status = 'running' or run.kind = 'answer' and run.key_id is null)
      )
      and not exists (
        select from chat_message message
        where message.owner_id = session.owner_id and message.session_id = session.session_id
          and (message.pinned or message.label is not null)
      )
    order by session.updated_at, session.owner_id, session.session_id
    limit ${most}`;
}
