import type { Sql } from "postgres";
import { importingSource } from "@/lib/postgres/portable/import-rows";

export interface SessionRow {
  session_id: string;
  title: string;
  parent_session_id: string | null;
  forked_at_message_id: string | null;
  model: string | null;
  source: string | null;
  tags: string[];
  metadata: string;
  message_count: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
  pinned_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface Key {
  owner: string;
  session: string;
}

const columns = (sql: Sql) => sql`
  session_id, title, parent_session_id, forked_at_message_id, model, source, tags, metadata, message_count,
  input_tokens, output_tokens, cost, pinned_at, archived_at, created_at, updated_at`;

export async function readSession(
  sql: Sql,
  { owner, session }: Key,
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select ${columns(sql)} from chat_session
    where owner_id = ${owner} and session_id = ${session} and deleted_at is null`;
  return row;
}

export async function insertSession(
  sql: Sql,
  row: Key & {
    title: string;
    parentSessionId: string | null;
    model: string | null;
    source: string | null;
    tags: readonly string[];
    metadata: string;
  },
): Promise<SessionRow | undefined> {
  const [inserted] = await sql<SessionRow[]>`
    insert into chat_session (owner_id, session_id, title, parent_session_id, model, source, tags, metadata)
    values (
      ${row.owner}, ${row.session}, ${row.title}, ${row.parentSessionId}, ${row.model}, ${row.source},
      ${row.tags as string[]}, ${row.metadata}
    )
    on conflict (owner_id, session_id) do nothing
    returning ${columns(sql)}`;
  return inserted;
}

export interface SessionCursor {
  pinned: boolean;
  /** Microseconds since 1970, so that the order survives the trip. */
  updated: string;
  session: string;
}

/** Pinned first, newest activity first; `sort_*` make the cursor of the next page. */
export function listSessions(
  sql: Sql,
  {
    owner,
    archived,
    tag,
    parent,
    after,
    limit,
  }: {
    owner: string;
    archived: boolean;
    tag: string | null;
    parent: string | null;
    after: SessionCursor | null;
    limit: number;
  },
): Promise<(SessionRow & { sort_updated: string })[]> {
  return sql<(SessionRow & { sort_updated: string })[]>`
    select ${columns(sql)}, (extract(epoch from updated_at) * 1000000)::bigint::text as sort_updated
    from chat_session
    where owner_id = ${owner} and deleted_at is null and (archived_at is not null) = ${archived}
      and (${tag}::text is null or ${tag} = any (tags))
      and (${parent}::text is null or parent_session_id = ${parent})
      and (
        ${after === null}
        or (pinned_at is not null, (extract(epoch from updated_at) * 1000000)::bigint, session_id)
          < (${after?.pinned ?? false}, ${after?.updated ?? "0"}::bigint, ${after?.session ?? ""})
      )
    order by pinned_at is not null desc, updated_at desc, session_id desc
    limit ${limit}`;
}

/** The fork that was made, or was there already; no row when its id is another session's. */
export async function forkSession(
  sql: Sql,
  { owner, session }: Key,
  fork: { fork: string; atMessageId: string; title: string; withSideBranches: boolean },
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select ${columns(sql)}
    from chat_fork(${owner}, ${session}, ${fork.atMessageId}, ${fork.fork}, ${fork.title}, ${fork.withSideBranches})`;
  return row;
}

export function listForks(sql: Sql, { owner, session }: Key): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select ${columns(sql)} from chat_session
    where owner_id = ${owner} and parent_session_id = ${session} and forked_at_message_id is not null
      and deleted_at is null
    order by created_at, session_id
    limit 200`;
}

export interface SessionPatch {
  title: string | null;
  /** `undefined` leaves the model, `null` removes it. */
  model: string | null | undefined;
  tags: readonly string[] | null;
  metadata: string | null;
  pinned: boolean | null;
  archived: boolean | null;
}

/** Changes what is given; the time of activity stays, since tidying up is no activity. */
export async function updateSession(
  sql: Sql,
  { owner, session }: Key,
  patch: SessionPatch,
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    update chat_session
    set
      title = coalesce(${patch.title}, title),
      model = case when ${patch.model !== undefined} then ${patch.model ?? null} else model end,
      tags = coalesce(${patch.tags as string[] | null}::text[], tags),
      metadata = case
        when ${patch.metadata}::text is null then metadata
        else (select coalesce(json_object_agg(each.key, each.value), '{}'::json)::text from (
          select distinct on (merged.key) merged.key, merged.value from (
            select 0 as newer, old.key, old.value from json_each(metadata::json) old
            union all
            select 1, new.key, new.value from json_each(${patch.metadata}::text::json) new
          ) merged order by merged.key, merged.newer desc
        ) each)
      end,
      pinned_at = case ${patch.pinned}::boolean when true then coalesce(pinned_at, now()) when false then null else pinned_at end,
      archived_at = case ${patch.archived}::boolean
        when true then coalesce(archived_at, now()) when false then null else archived_at end
    where owner_id = ${owner} and session_id = ${session} and deleted_at is null
    returning ${columns(sql)}`;
  return row;
}

export async function setDeleted(
  sql: Sql,
  { owner, session }: Key,
  deleted: boolean,
): Promise<boolean> {
  const rows = await sql`
    update chat_session
    set deleted_at = ${deleted ? sql`now()` : null}, updated_at = ${deleted ? sql`updated_at` : sql`now()`}
    where owner_id = ${owner} and session_id = ${session} and (deleted_at is null) = ${deleted}
      and source is distinct from ${importingSource}
    returning session_id`;
  return rows.length > 0;
}

/** Deletes what is idle and not pinned, except where an answer is being written. */
export async function expireSessions(
  sql: Sql,
  { owner, idleMs }: { owner: string; idleMs: number },
): Promise<string[]> {
  const rows = await sql<{ session_id: string }[]>`
    update chat_session session set deleted_at = now()
    where owner_id = ${owner} and deleted_at is null and pinned_at is null
      and updated_at < now() - ${idleMs}::float8 * interval '1 millisecond'
      and not exists (
        select from chat_run run
        where run.owner_id = ${owner} and run.session_id = session.session_id and run.status = 'running'
      )
    returning session_id`;
  return rows.map((row) => row.session_id);
}

export async function addUsage(
  sql: Sql,
  { owner, session }: Key,
  usage: { inputTokens: number; outputTokens: number; cost: number },
): Promise<boolean> {
  const rows = await sql`
    update chat_session
    set
      input_tokens = input_tokens + ${usage.inputTokens},
      output_tokens = output_tokens + ${usage.outputTokens},
      cost = cost + ${usage.cost},
      updated_at = now()
    where owner_id = ${owner} and session_id = ${session} and deleted_at is null
    returning session_id`;
  return rows.length > 0;
}

/** Sessions whose title holds a text, newest activity first. */
export function sessionsByTitle(
  sql: Sql,
  { owner, text, limit }: { owner: string; text: string; limit: number },
): Promise<SessionRow[]> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SessionRow[]>`
    select ${columns(sql)} from chat_session
    where owner_id = ${owner} and deleted_at is null and title ilike ${pattern}
    order by updated_at desc, session_id desc
    limit ${limit}`;
}

/** The tags in use and on how many sessions, most used first. */
export function countTags(sql: Sql, owner: string): Promise<{ tag: string; count: number }[]> {
  return sql<{ tag: string; count: number }[]>`
    select tag, count(*)::integer as count
    from chat_session session
    cross join lateral unnest(session.tags) tag
    where session.owner_id = ${owner} and session.deleted_at is null
    group by tag
    order by count desc, tag
    limit 500`;
}
