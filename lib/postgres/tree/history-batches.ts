import type { StoredMessage } from "../../session";
import { contentBytes } from "../../session/internal";
import type { RecentHistory } from "../../session/ports";
import type { Fragment, Sql } from "../connections/sql";
import { translated } from "../database-error";
import type { SessionKey } from "./compactions";
import { everything, messageFromLine, type VisibleSpan, type WindowRow, window } from "./window";

const batchRows = 200;

/** The newest part of the active path that fits, at least `least` messages. */
export async function recentHistory(
  sql: Sql,
  { maxBytes, least, ...key }: SessionKey & { maxBytes: number; least: number },
): Promise<RecentHistory> {
  const newest: StoredMessage[] = [];
  let bytes = 0;
  for await (const message of backwards(sql, key)) {
    bytes += contentBytes(message);
    if (bytes > maxBytes && newest.length >= least) {
      const omitted = (await visibleCount(sql, key)) - newest.length;
      return { messages: newest.reverse(), omittedMessages: Math.max(1, omitted) };
    }
    newest.push(message);
  }
  return { messages: newest.reverse(), omittedMessages: 0 };
}

/** Root-most first, up to `leaf`. */
export async function* historyBatches(
  sql: Sql,
  {
    batchSize: limit = batchRows,
    ...key
  }: SessionKey & { leaf: string; batchSize: number | undefined },
): AsyncIterable<StoredMessage[]> {
  let after = 0;
  while (true) {
    const rows = await linesAfter(sql, { ...key, after, limit });
    if (rows.length > 0) yield rows.map(messageFromLine);
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = last.position;
  }
}

async function* backwards(sql: Sql, key: SessionKey): AsyncIterable<StoredMessage> {
  const span = { ...key, leaf: null, after: -1, overlays: true, beside: 0, limit: batchRows };
  let before = everything;
  while (true) {
    const rows = await window(sql, { ...span, before });
    yield* rows.map(messageFromLine);
    const last = rows.at(-1);
    if (!last || rows.length < batchRows) return;
    before = last.position;
  }
}

export function visibleCount(sql: Sql, key: SessionKey): Promise<number> {
  return countLines(sql, { ...key, leaf: null, after: -1, before: everything, overlays: true });
}

async function linesAfter(
  sql: Sql,
  { after, limit, ...key }: SessionKey & { leaf: string; after: number; limit: number },
): Promise<WindowRow[]> {
  const span = { ...key, overlays: true, beside: 0, limit: everything };
  // The range widens until the batch is full or the path ends.
  for (let width = limit; ; width *= 4) {
    const before = Math.min(everything, after + width + 1);
    const rows = await window(sql, { ...span, after, before });
    if (rows.length >= limit || before === everything) return rows.reverse().slice(0, limit);
  }
}

async function countLines(sql: Sql, span: VisibleSpan): Promise<number> {
  const { owner } = span;
  const counted = sql<[{ count: number }]>`
    with ${visiblePieces(sql, span)}
    select (
      (select count(*) from shown)
      + (
        select coalesce(sum(chat_surviving(${owner}, piece.branch_id, piece.lo, piece.hi)), 0)
        from piece
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
  const [row] = await translated(counted);
  return row.count;
}

/**
 * Defines `place` (the path's end), `segment` (its branches), `shown` (its summaries) and `piece` (ranges between them,
 * above `lo` up to `hi`).
 */
function visiblePieces(
  sql: Sql,
  { owner, session, leaf, after, before, overlays }: VisibleSpan,
): Fragment {
  return sql`
    place as materialized (
      select place.via, place.pos, leaf.id as leaf_id
      from chat_place(${owner}, ${session}, ${leaf}) place
      cross join lateral chat_at(${owner}, place.via, place.pos) leaf
    ),
    segment as materialized (
      select segment.branch_id, segment.lo, segment.hi
      from place
      cross join lateral chat_segments(${owner}, place.via, place.pos) segment
      where segment.lo < segment.hi
    ),
    shown as materialized (
      select compaction.*
      from place
      cross join lateral chat_shown_compactions(${owner}, place.via, place.pos) compaction
      where ${overlays}
    ),
    stretch as (
      select lag(shown.to_pos, 1, 0) over (order by shown.from_pos) as lo, shown.from_pos - 1 as hi from shown
      union all
      select coalesce((select max(shown.to_pos) from shown), 0), place.pos from place
    ),
    piece as materialized (
      select
        segment.branch_id,
        greatest(segment.lo, stretch.lo, floor(${after}::float8)::integer) as lo,
        least(segment.hi, stretch.hi, ceil(${before}::float8)::integer - 1) as hi
      from segment
      join stretch on segment.lo < stretch.hi and stretch.lo < segment.hi
    )`;
}
