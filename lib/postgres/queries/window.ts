import type { Sql } from "postgres";
import { type VisibleSpan, visiblePieces } from "./visible-pieces";

export interface WindowRow {
  kind: "message" | "summary";
  position: number;
  id: string;
  role: string;
  created_at: Date;
  pinned: boolean;
  label: string | null;
  content: string;
  parent_id: string | null;
  sibling_ids: string[] | null;
  compaction: string | null;
  from_message_id: string | null;
  to_message_id: string | null;
  message_count: number | null;
  leaf_id: string;
}

export interface WindowQuery extends VisibleSpan {
  limit: number;
  /** Look up parents and alternatives. */
  beside: boolean;
}

/**
 * The newest `limit` visible lines of a path between two positions, newest first.
 *
 * Summaries that show cut the path into stretches; every stretch of every branch is one index range scan, so the cost is
 * what is visible and not what is stored. The lateral sub-selects with `offset 0` keep the planner from turning the
 * scans into a join over the whole table, which it does after five executions of a prepared statement. Newest stretches
 * come first and the scan stops at the limit, so a path through hundreds of branches is not read whole. Parents and
 * alternatives are looked up one by one only where a line does not simply follow the one before it.
 */
export function window(sql: Sql, query: WindowQuery): Promise<WindowRow[]> {
  const { owner, session, after, before, limit, beside } = query;
  return sql<WindowRow[]>`
    with ${visiblePieces(sql, query)},
    recent as (
      select message.*
      from (select * from piece where piece.lo < piece.hi order by piece.hi desc offset 0) piece
      cross join lateral (
        select candidate.*
        from chat_message candidate
        where candidate.owner_id = ${owner} and candidate.branch_id = piece.branch_id
          and candidate.pos > piece.lo and candidate.pos <= piece.hi
          and candidate.deletion_id is null
        order by candidate.pos desc
        limit ${limit}
        offset 0
      ) message
      order by piece.hi desc, message.pos desc
      limit ${limit}
    ),
    line as (
      select
        'message' as kind, message.pos::float8 as position, message.branch_id, message.pos as anchor, message.id, message.role,
        message.created_at, message.pinned, message.label, message.content,
        null::text as compaction, null::text as from_message_id, null::text as to_message_id, null::integer as message_count
      from recent message
      union all
      select
        'message', message.pos, message.branch_id, message.pos, message.id, message.role, message.created_at, true, message.label, message.content,
        null, null, null, null
      from shown
      join segment on segment.lo < shown.to_pos and segment.hi >= shown.from_pos
      cross join lateral (
        select candidate.*
        from chat_message candidate
        where candidate.owner_id = ${owner} and candidate.branch_id = segment.branch_id
          and candidate.pos >= shown.from_pos and candidate.pos <= shown.to_pos
          and candidate.pos > segment.lo and candidate.pos <= segment.hi
          and candidate.pinned and candidate.deletion_id is null
        offset 0
      ) message
      where message.pos > ${after}::float8 and message.pos < ${before}::float8
      union all
      select
        'summary', shown.from_pos - 0.5, null, shown.from_pos, 'compaction_' || shown.id, 'user', shown.created_at, false,
        null, shown.summary, shown.metadata, shown.from_message_id, shown.to_message_id,
        shown.to_pos - shown.from_pos + 1 - (
          select count(*)::integer
          from segment
          cross join lateral (
            select from chat_message gone
            where gone.owner_id = ${owner} and gone.branch_id = segment.branch_id
              and gone.pos > segment.lo and gone.pos <= segment.hi
              and gone.pos >= shown.from_pos and gone.pos <= shown.to_pos
              and gone.deletion_id is not null
            offset 0
          ) removed
        )
      from shown
      where shown.from_pos - 0.5 > ${after}::float8 and shown.from_pos - 0.5 < ${before}::float8
    ),
    newest as (
      select
        line.*,
        lag(line.id) over path as previous_id,
        coalesce(
          lag(line.branch_id) over path = line.branch_id and lag(line.anchor) over path = line.anchor - 1, false
        ) as next_in_branch
      from (select * from line order by position desc limit ${limit}) line
      window path as (order by line.position)
    )
    select
      newest.kind, newest.position, newest.id, newest.role, newest.created_at, newest.pinned, newest.label, newest.content,
      newest.compaction, newest.from_message_id, newest.to_message_id, newest.message_count,
      case when newest.alone then newest.previous_id else beside.parent_id end as parent_id,
      beside.sibling_ids, place.leaf_id
    from place
    cross join (
      select *, next_in_branch and (
        select branch.branch_id
        from chat_branch branch
        where branch.owner_id = ${owner} and branch.parent_branch = newest.branch_id and branch.base = newest.anchor - 1
        limit 1
      ) is null as alone
      from newest
    ) newest
    left join lateral (
      select found.parent_id, found.sibling_ids
      from (select where ${beside} and not newest.alone offset 0) wanted
      cross join lateral chat_beside(${owner}, ${session}, coalesce(newest.branch_id, place.via), newest.anchor) found
    ) beside on true
    order by newest.position desc`;
}

/** How many lines a path shows, counted without reading them. */
export async function countLines(sql: Sql, span: VisibleSpan): Promise<number> {
  const { owner } = span;
  const [row] = await sql<[{ count: number }]>`
    with ${visiblePieces(sql, span)}
    select (
      (select count(*) from shown)
      + (
        select coalesce(sum(counted.count), 0)
        from piece
        cross join lateral (
          select count(*) as count
          from chat_message message
          where message.owner_id = ${owner} and message.branch_id = piece.branch_id
            and message.pos > piece.lo and message.pos <= piece.hi and message.deletion_id is null
          offset 0
        ) counted
      )
      + (
        select count(*)
        from shown
        join segment on segment.lo < shown.to_pos and segment.hi >= shown.from_pos
        join chat_message message
          on message.owner_id = ${owner} and message.branch_id = segment.branch_id
          and message.pos >= shown.from_pos and message.pos <= shown.to_pos
          and message.pos > segment.lo and message.pos <= segment.hi
          and message.pinned and message.deletion_id is null
      )
    )::integer as count`;
  return row.count;
}
