import { toTsvector } from "../../session/internal";
import type { CompactionMetadata } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import { storableJson } from "../storable";
import type { CompactionRow } from "./stored-message";

export interface SessionKey {
  owner: string;
  session: string;
}

export async function addCompaction(
  sql: Sql,
  query: SessionKey & {
    id: string;
    from: string;
    to: string;
    summary: string;
    metadata: CompactionMetadata;
  },
): Promise<Pick<CompactionRow, "from_message_id" | "to_message_id" | "created_at">> {
  const [row] = await sql<
    [Pick<CompactionRow, "from_message_id" | "to_message_id" | "created_at">]
  >`
    select from_message_id, to_message_id, created_at
    from chat_add_compaction(
      ${query.owner}, ${query.session}, ${query.id}, ${query.from}, ${query.to}, ${query.summary},
      ${storableJson(query.metadata)}::text::jsonb, ${toTsvector(query.summary)}::tsvector
    )`;
  return row;
}

export async function replaceCompaction(
  sql: Sql,
  query: SessionKey & { old: string; id: string; summary: string; metadata: CompactionMetadata },
): Promise<Pick<CompactionRow, "from_message_id" | "to_message_id" | "created_at">> {
  const [row] = await sql<
    [Pick<CompactionRow, "from_message_id" | "to_message_id" | "created_at">]
  >`
    select from_message_id, to_message_id, created_at
    from chat_replace_compaction(
      ${query.owner}, ${query.session}, ${query.old}, ${query.id}, ${query.summary},
      ${storableJson(query.metadata)}::text::jsonb, ${toTsvector(query.summary)}::tsvector
    )`;
  return row;
}

export function updateCompaction(sql: Sql, query: SessionKey & { id: string; summary: string }) {
  return sql`
    select chat_update_compaction(
      ${query.owner}, ${query.session}, ${query.id}, ${query.summary}, ${toTsvector(query.summary)}::tsvector
    )`;
}

export interface ListedCompactionRow extends CompactionRow {
  branch_id: number;
  from_pos: number;
  to_pos: number;
}

export function listCompactions(
  sql: Sql,
  { owner, session }: SessionKey,
): Promise<ListedCompactionRow[]> {
  return translated(sql<ListedCompactionRow[]>`
    with own as (
      select compaction.*
      from chat_compaction compaction
      where compaction.owner_id = ${owner} and compaction.session_id = ${session}
        and compaction.removed_moment is null
    ),
    borrowed as (
      select seen.*
      from chat_branch branch
      cross join lateral chat_seen_compactions(${owner}, branch.branch_id, branch.head) seen
      where branch.owner_id = ${owner} and branch.session_id = ${session} and branch.seen_as_of is not null
        and seen.session_id <> ${session}
    )
    select distinct on (found.made_moment)
      found.id, found.summary, found.from_message_id, found.to_message_id, found.created_at, found.metadata,
      found.branch_id, found.from_pos, found.to_pos
    from chat_open(${owner}, ${session}) opened
    cross join (select * from own union all select * from borrowed) found
    order by found.made_moment, found.compaction_id desc`);
}

export function listCompactionsOf(
  sql: Sql,
  { owner, sessions }: { owner: string; sessions: readonly string[] },
): Promise<(ListedCompactionRow & { session: string })[]> {
  return sql<(ListedCompactionRow & { session: string })[]>`
    with found as (
      select own.session_id as session, own.*
      from chat_compaction own
      where own.owner_id = ${owner} and own.session_id = any (${sessions as string[]}) and own.removed_moment is null
      union all
      select branch.session_id, seen.*
      from chat_branch branch
      cross join lateral chat_seen_compactions(${owner}, branch.branch_id, branch.head) seen
      where branch.owner_id = ${owner} and branch.session_id = any (${sessions as string[]})
        and branch.seen_as_of is not null and seen.session_id <> branch.session_id
    )
    select distinct on (found.session, found.made_moment)
      found.session, found.id, found.summary, found.from_message_id, found.to_message_id, found.created_at,
      found.metadata, found.branch_id, found.from_pos, found.to_pos
    from found
    order by found.session, found.made_moment, found.compaction_id desc`;
}
