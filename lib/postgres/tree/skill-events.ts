import type { LoadedSkill } from "../../session";
import { loadedAfter, type SkillEvent } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import type { SessionKey } from "./compactions";

/** Skills that are loaded at a path's end. */
export async function loadedSkills(
  sql: Sql,
  { owner, session, leaf }: SessionKey & { leaf: string | null },
): Promise<LoadedSkill[]> {
  const events = await translated(sql<SkillEvent[]>`
    select label, key, action
    from (
      select 0 as pos, 0 as event_id, before.n, before.label, before.key, before.action
      from chat_session
      cross join lateral rows from (
        jsonb_to_recordset(skills_before) as (label text, key text, action text)
      ) with ordinality before (label, key, action, n)
      where owner_id = ${owner} and session_id = ${session} and deleted_at is null
      union all
      select event.pos, event.event_id, event.n, event.label, event.key, event.action
      from chat_place(${owner}, ${session}, ${leaf}) place
      cross join lateral chat_seen_skill_events(${owner}, place.via, place.pos) event
    ) event
    order by pos, event_id, n`);
  return loadedAfter(events);
}

export async function recordSkillEvent(
  sql: Sql,
  { owner, session }: SessionKey,
  { label, key, action }: SkillEvent,
): Promise<void> {
  await translated(sql`select chat_note_skill(${owner}, ${session}, ${label}, ${key}, ${action})`);
}
