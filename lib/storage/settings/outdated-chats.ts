import { asPerson, asSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import type { Sql } from "@/lib/postgres/storage";

/** A key whose programs' chats are kept for some days, with the place that has them. */
export interface ForgettingKey extends PersonInSpace {
  readonly keyId: string;
  readonly days: number;
}

export async function forgettingKeys(database: Sql): Promise<ForgettingKey[]> {
  const rows = await database<{ owner: string; space: string; keyId: string; days: number }[]>`
    select
      key.owner_id as owner, coalesce(key.scopes ->> 'space', key.owner_id) as space, key.key_id as "keyId",
      (key.scopes ->> 'keptDays')::float8 as days
    from chat_key key
    where jsonb_typeof(key.scopes -> 'keptDays') = 'number'
    order by key.owner_id, key.key_id`;
  return rows.map(({ owner, space, ...key }) => {
    return { ...key, personId: asPerson(owner), spaceId: asSpace(space) };
  });
}

/**
 * Chats that the person pinned, archived, tagged, forked, asked something in, or marked a message of are theirs, and
 * stay, as does a restored one until it is used again.
 */
export async function outdatedChats(
  database: Sql,
  { spaceId, keyId, days }: ForgettingKey,
  most: number,
): Promise<string[]> {
  const rows = await database<{ id: string }[]>`
    select session.session_id as id
    from chat_session session
    where session.owner_id = ${spaceId} and (session.metadata -> 'program' ->> 'keyId') = ${keyId}
      and session.deleted_at is null and session.archived_at is null
      and (session.metadata -> 'program' ->> 'keyId') is not null
      and session.source is distinct from 'importing'
      and session.pinned_at is null and session.parent_session_id is null
      and session.updated_at < now() - ${days}::float8 * interval '1 day'
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
      and not exists (
        select from chat_deletion deletion
        where deletion.owner_id = session.owner_id and deletion.session_id = session.session_id
          and deletion.kind = 'session' and deletion.created_at >= session.updated_at
      )
    order by session.updated_at, session.session_id
    limit ${most}`;
  return rows.map(({ id }) => id);
}
