import type { Sql } from "../connections/sql";

/** Rows of an owner that a crossing would change; the prompt of a chat is frozen when its owner first reads it. */
export async function ownerRows(sql: Sql, ownerId: string): Promise<unknown> {
  return sql`
    select (select jsonb_agg(to_jsonb(session) - 'frozen_prompt' - 'frozen_versions' order by session_id) from chat_session session where owner_id = ${ownerId}) as sessions,
      (select jsonb_agg(to_jsonb(message) order by session_id, id) from chat_message message where owner_id = ${ownerId}) as messages,
      (select jsonb_agg(to_jsonb(key) - 'last_used_at' order by key_id) from chat_key key where owner_id = ${ownerId}) as keys,
      (select settings from chat_owner where owner_id = ${ownerId}) as settings`;
}
