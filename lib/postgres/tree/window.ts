import type { PendingQuery, Row, Sql } from "postgres";
import { z } from "zod";
import { translated } from "@/lib/postgres/database-error";
import type {
  Compaction,
  Siblings,
  StoredMessage,
  TranscriptWindow,
  WindowEntry,
} from "@/lib/session";
import { compactionMessage } from "@/lib/session/internal";
import { compactionFromRow, messageFromRow } from "./stored-message";

/** A summary when `summarized` is set. */
export interface WindowRow {
  position: number;
  id: string;
  role: string;
  created_at: Date;
  pinned: boolean;
  label: string | null;
  content: string;
  /** Both `null` after lookup: no siblings, and the parent is the next row. */
  parent_id: string | null;
  sibling_ids: string[] | null;
  summarized: unknown;
  /** `null` when the newest entry is the leaf. */
  leaf_id: string | null;
}

type HistoryRow = Pick<WindowRow, "id" | "role" | "created_at" | "content" | "summarized">;

const summarizedSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Surviving messages. */
  count: z.number(),
  metadata: z.unknown(),
});

interface VisibleSpan {
  owner: string;
  session: string;
  leaf: string | null;
  /** Exclusive ends, in positions. */
  after: number;
  before: number;
  overlays: boolean;
}

interface WindowQuery extends VisibleSpan {
  limit: number;
  /** Newest entries to look up parents and siblings for. */
  beside: number;
}

/** Newest first. Costs O(returned), not O(stored). */
export function window(sql: Sql, query: WindowQuery): Promise<WindowRow[]> {
  return translated(sql<WindowRow[]>`
    select
      position, id, role, created_at, pinned, label, content, parent_id, sibling_ids, summarized, leaf_id
    from chat_lines(
      ${query.owner}, ${query.session}, ${query.leaf}, ${query.after}::float8, ${query.before}::float8, ${query.limit},
      ${query.overlays}, ${query.beside}
    )`);
}

/**
 * Oldest first. Makes a message of each row as it arrives, which halves the time of a long history: rows that wait for
 * the last one are work for the garbage collector.
 */
export async function history(
  sql: Sql,
  { limit, ...span }: VisibleSpan & { limit: number },
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  const rows = sql<HistoryRow[]>`
    select id, role, created_at, content, summarized
    from chat_lines(
      ${span.owner}, ${span.session}, ${span.leaf}, ${span.after}::float8, ${span.before}::float8, ${limit},
      ${span.overlays}, 0
    )`;
  await translated(rows.forEach((row) => void messages.push(messageFromLine(row))));
  return messages.reverse();
}

export async function countLines(sql: Sql, span: VisibleSpan): Promise<number> {
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

/** Takes one extra entry when there are more. */
export function windowFromRows(
  rows: readonly WindowRow[],
  { limit, leafId }: { limit: number; leafId: string | null },
): TranscriptWindow {
  return {
    entries: rows
      .slice(0, limit)
      .map((row, index) => entryFromRow(row, rows[index + 1]))
      .reverse(),
    leafId,
    hasMore: rows.length > limit,
  };
}

function entryFromRow(row: WindowRow, next: WindowRow | undefined): WindowEntry {
  const compaction = compactionFromLine(row);
  return {
    message: messageFromLine(row),
    parentId: row.parent_id ?? (row.sibling_ids ? null : (next?.id ?? null)),
    siblings: siblingsOf(row, compaction?.fromMessageId ?? row.id),
    pinned: row.pinned,
    label: row.label,
    position: row.position,
    ...(compaction && { compaction }),
  };
}

/** A summary takes that of its first message. */
function siblingsOf(row: WindowRow, own: string): Siblings {
  const ids = row.sibling_ids ?? [row.id];
  const index = Math.max(0, ids.indexOf(own));
  return {
    index,
    count: ids.length,
    previousId: ids[index - 1] ?? null,
    nextId: ids[index + 1] ?? null,
  };
}

export function messageFromLine(row: HistoryRow): StoredMessage {
  const compaction = compactionFromLine(row);
  return compaction ? compactionMessage(compaction) : messageFromRow(row);
}

function compactionFromLine(
  row: HistoryRow,
): (Compaction & { readonly messageCount: number }) | null {
  if (row.summarized === null) return null;
  const { from, to, count, metadata } = summarizedSchema.parse(row.summarized);
  const compaction = compactionFromRow({
    id: row.id.slice("compaction_".length),
    summary: row.content,
    from_message_id: from,
    to_message_id: to,
    created_at: row.created_at,
    metadata,
  });
  return { ...compaction, messageCount: count };
}

/**
 * Defines `place` (the path's end), `segment` (its branches), `shown` (its summaries) and `piece` (ranges between them,
 * above `lo` up to `hi`).
 */
function visiblePieces(
  sql: Sql,
  { owner, session, leaf, after, before, overlays }: VisibleSpan,
): PendingQuery<Row[]> {
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
