import type { HistoryRowStat } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";

export interface MessageRow {
  id: string;
  role: string;
  created_at: Date;
  content: string;
}

/** The given order, without unknown ids. */
export function messagesById(
  sql: Sql,
  { owner, session, ids }: { owner: string; session: string; ids: readonly string[] },
): Promise<MessageRow[]> {
  return translated(sql<MessageRow[]>`
    select id, role, created_at, content from chat_messages(${owner}, ${session}, ${ids as string[]})`);
}

type FoundRow<Row> = { [Column in keyof Row]: Row[Column] | null } & { owns_all: boolean };

/**
 * Looks up its own key. A function looks further for forks, and refuses for expired sessions; calling it takes twice as
 * long.
 */
export async function messageById(
  sql: Sql,
  { owner, session: sessionId, id }: { owner: string; session: string; id: string },
): Promise<MessageRow | undefined> {
  const [found] = await translated(sql<FoundRow<MessageRow>[]>`
    select
      message.id, message.role, message.created_at, message.content, session.parent_session_id is null as owns_all
    from chat_session session
    left join chat_message message
      on message.owner_id = ${owner} and message.session_id = ${sessionId} and message.id = ${id}
      and message.deletion_id is null
    where session.owner_id = ${owner} and session.session_id = ${sessionId} and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())`);
  if (found && isRow(found)) return found;
  if (found?.owns_all) return undefined;
  const [row] = await messagesById(sql, { owner, session: sessionId, ids: [id] });
  return row;
}

function isRow<Row extends { id: string }>(row: FoundRow<Row>): row is Row & FoundRow<Row> {
  return row.id !== null;
}

/** Unknown ids are left out; a deleted message has no content. */
export function knownMessages(
  sql: Sql,
  { owner, session, ids }: { owner: string; session: string; ids: readonly string[] },
): Promise<((MessageRow & { parent_id: string | null }) | { id: string; content: null })[]> {
  return sql`
    select id, role, created_at, content, parent_id
    from chat_known(${owner}, ${session}, ${ids as string[]})`;
}

/** Oldest first. Looks up keys like `messageById`, where nothing was deleted at this place. */
export async function replies(
  sql: Sql,
  { owner, session: sessionId, id }: { owner: string; session: string; id: string },
): Promise<MessageRow[]> {
  const found = await translated(sql<FoundRow<MessageRow & { ordinal: number; begins: boolean }>[]>`
    select
      child.id, child.role, child.created_at, child.content, child.ordinal,
      session.parent_session_id is null as owns_all, start.head > place.pos as begins
    from chat_session session
    left join chat_message place
      on place.owner_id = session.owner_id and place.session_id = session.session_id and place.id = ${id}
      and place.deletion_id is null
    left join lateral (
      select branch.branch_id, branch.head
      from chat_branch branch
      where branch.owner_id = session.owner_id and branch.branch_id = place.branch_id
      union all
      select branch.branch_id, branch.head
      from chat_branch branch
      where branch.owner_id = session.owner_id and branch.parent_branch = place.branch_id
        and branch.base = place.pos and branch.session_id = session.session_id
    ) start on true
    left join chat_message child
      on child.owner_id = session.owner_id and child.branch_id = start.branch_id and child.pos = place.pos + 1
      and child.deletion_id is null
    where session.owner_id = ${owner} and session.session_id = ${sessionId} and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())`);
  const isComplete = found.every((row) => row.owns_all && (isRow(row) || !row.begins));
  if (found.length > 0 && isComplete)
    return found.filter(isRow).sort((one, other) => one.ordinal - other.ordinal);
  return children(sql, { owner, session: sessionId, id });
}

export function children(
  sql: Sql,
  { owner, session, id }: { owner: string; session: string; id: string | null },
): Promise<MessageRow[]> {
  return translated(sql<MessageRow[]>`
    select id, role, created_at, content from chat_replies(${owner}, ${session}, ${id})`);
}

export async function beside(
  sql: Sql,
  { owner, session, id }: { owner: string; session: string; id: string },
): Promise<{ parent_id: string | null; sibling_ids: string[] | null } | undefined> {
  const rows = await translated(sql<{ parent_id: string | null; sibling_ids: string[] | null }[]>`
    select beside.parent_id, beside.sibling_ids
    from chat_place(${owner}, ${session}, ${id}) place
    cross join lateral chat_beside(${owner}, ${session}, place.via, place.pos) beside`);
  return rows[0];
}

export async function pathLength(
  sql: Sql,
  { owner, session, leaf }: { owner: string; session: string; leaf: string | null },
): Promise<number> {
  const [row] = await translated(sql<{ count: number }[]>`
    select coalesce(sum(chat_surviving(${owner}, segment.branch_id, segment.lo, segment.hi)), 0)::integer as count
    from chat_place(${owner}, ${session}, ${leaf}) place
    cross join lateral chat_segments(${owner}, place.via, place.pos) segment`);
  return row?.count ?? 0;
}

export function rowStats(
  sql: Sql,
  { owner, session, leaf }: { owner: string; session: string; leaf: string | null },
): Promise<HistoryRowStat[]> {
  return translated(sql<HistoryRowStat[]>`
    select message.id, message.role, octet_length(message.content) as bytes
    from chat_place(${owner}, ${session}, ${leaf}) place
    cross join lateral chat_segments(${owner}, place.via, place.pos) segment
    join chat_message message
      on message.owner_id = ${owner} and message.branch_id = segment.branch_id
      and message.pos > segment.lo and message.pos <= segment.hi and message.deletion_id is null
    order by message.pos`);
}

/** Increases with every append and every move of the active leaf; `null` without a session. */
export async function revision(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<number | null> {
  const [row] = await sql<[{ revision: number | null }]>`
    select chat_revision(${owner}, ${session}) as revision`;
  return row.revision;
}

export async function place(
  sql: Sql,
  { owner, session, leaf }: { owner: string; session: string; leaf: string | null },
): Promise<{ via: number; pos: number; id: string } | undefined> {
  const rows = await translated(sql<{ via: number; pos: number; id: string }[]>`
    select place.via, place.pos, leaf.id
    from chat_place(${owner}, ${session}, ${leaf}) place
    cross join lateral chat_at(${owner}, place.via, place.pos) leaf`);
  return rows[0];
}

export async function leafUnder(
  sql: Sql,
  { owner, session, id }: { owner: string; session: string; id: string },
): Promise<string | undefined> {
  const [row] = await translated(sql<{ id: string }[]>`
    select chat_leaf_under(${owner}, ${session}, located.branch_id, located.pos) as id
    from chat_open(${owner}, ${session}) opened
    cross join chat_locate(${owner}, ${session}, ${id}) located`);
  return row?.id;
}

export interface TreeNodeRow {
  branch_id: number;
  pos: number;
  id: string;
  role: string;
  created_at: Date;
  preview: string;
  pinned: boolean;
  label: string | null;
  ordinal: number;
}

export interface TreeBranchRow {
  branch_id: number;
  parent_branch: number | null;
  base: number;
}

/** Rows without content, by branch and position. */
export function treeRows(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<TreeNodeRow[]> {
  return sql<TreeNodeRow[]>`
    with seen as materialized (
      select branch.branch_id, branch.head as upto
      from chat_branch branch
      where branch.owner_id = ${owner} and branch.session_id = ${session}
      union all
      select borrowed.branch_id, max(borrowed.upto)
      from chat_borrowed(${owner}, ${session}) borrowed
      group by borrowed.branch_id
    )
    select message.branch_id, message.pos, message.id, message.role, message.created_at, message.preview, message.pinned,
      message.label, message.ordinal
    from seen
    cross join lateral (
      select candidate.*
      from chat_message candidate
      where candidate.owner_id = ${owner} and candidate.branch_id = seen.branch_id
        and candidate.pos <= seen.upto and candidate.deletion_id is null
      offset 0
    ) message
    order by message.branch_id, message.pos`;
}

export function treeBranches(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<TreeBranchRow[]> {
  return translated(sql<TreeBranchRow[]>`
    select seen.branch_id, seen.parent_branch, seen.base
    from chat_open(${owner}, ${session}) opened
    cross join lateral (
      select branch.branch_id, branch.parent_branch, branch.base
      from chat_branch branch
      where branch.owner_id = ${owner} and branch.session_id = ${session}
      union all
      select branch.branch_id, branch.parent_branch, branch.base
      from (select distinct lent.branch_id from chat_borrowed(${owner}, ${session}) lent offset 0) borrowed
      join chat_branch branch on branch.owner_id = ${owner} and branch.branch_id = borrowed.branch_id
    ) seen
    order by seen.branch_id`);
}
