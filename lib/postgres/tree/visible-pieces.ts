import type { PendingQuery, Row, Sql } from "postgres";

export interface VisibleSpan {
  owner: string;
  session: string;
  /** `null`: the active leaf. */
  leaf: string | null;
  /** Exclusive ends, in positions. */
  after: number;
  before: number;
  overlays: boolean;
}

/**
 * Common table expressions for what a path shows: `place` (where it ends), `segment` (its branches), `shown` (its
 * summaries) and `piece` (the stretches of branches between the summaries, above `lo` up to `hi`).
 */
export function visiblePieces(
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
