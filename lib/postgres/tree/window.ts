import type { Sql } from "postgres";
import { type VisibleSpan, visiblePieces } from "./visible-pieces";

/** One visible line of a path: a message, or a summary when `summarized` says what it stands for. */
export interface WindowRow {
  position: number;
  id: string;
  role: string;
  created_at: Date;
  pinned: boolean;
  label: string | null;
  content: string;
  /** Both `null`, where looked up: no alternatives, and the parent is the next row. */
  parent_id: string | null;
  sibling_ids: string[] | null;
  /** JSON of a `Summarized`. */
  summarized: string | null;
  /** `null` when the newest line is the leaf. */
  leaf_id: string | null;
}

/** The stretch of a path that a summary stands for. */
export interface Summarized {
  /** Ids of the first and the last message. */
  from: string;
  to: string;
  /** Messages that survive. */
  count: number;
  /** JSON of the compaction's metadata. */
  metadata: string;
}

export interface WindowQuery extends VisibleSpan {
  limit: number;
  /** For how many of the newest lines to look up parents and alternatives. */
  beside: number;
}

/**
 * The newest `limit` visible lines of a path between two positions, newest first. The cost is what is returned, not what
 * is stored.
 */
export function window(sql: Sql, query: WindowQuery): Promise<WindowRow[]> {
  return sql<WindowRow[]>`
    select
      position, id, role, created_at, pinned, label, content, parent_id, sibling_ids, summarized, leaf_id
    from chat_lines(
      ${query.owner}, ${query.session}, ${query.leaf}, ${query.after}::float8, ${query.before}::float8, ${query.limit},
      ${query.overlays}, ${query.beside}
    )`;
}

/** How many lines a path shows, counted without reading them. */
export async function countLines(sql: Sql, span: VisibleSpan): Promise<number> {
  const { owner } = span;
  const [row] = await sql<[{ count: number }]>`
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
  return row.count;
}
