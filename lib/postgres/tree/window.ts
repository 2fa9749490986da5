import { z } from "zod";
import type { Compaction, StoredMessage } from "../../session";
import { compactionMessage } from "../../session/internal";
import type { Siblings, TranscriptWindow, WindowEntry } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import { compactionFromRow, messageFromRow } from "./stored-message";

export const everything = 2_147_483_647;

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
  leaf_id: string | null;
}

type HistoryRow = Pick<WindowRow, "id" | "role" | "created_at" | "content" | "summarized">;

const summarizedSchema = z.object({
  from: z.string(),
  to: z.string(),
  count: z.number(),
  metadata: z.unknown(),
});

export interface VisibleSpan {
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

/** The oldest of a span, newest first. Costs O(returned + branches of the path). */
export function oldestWindow(
  sql: Sql,
  query: WindowQuery,
): Promise<(WindowRow & { more: boolean })[]> {
  const { owner, session, leaf, after, before, limit, overlays, beside } = query;
  return translated(sql<(WindowRow & { more: boolean })[]>`
    select line.*, coalesce(beyond.pos < ${before}::float8, false) as more
    from chat_nth(${owner}, ${session}, ${leaf}, ${after}::float8, ${limit + 1}, ${overlays}) beyond (pos)
    cross join lateral chat_lines(
      ${owner}, ${session}, ${leaf}, ${after}::float8, least(${before}::float8, beyond.pos), ${limit}, ${overlays},
      ${beside}
    ) line`);
}

/** `chat_lines` makes all rows before it gives the first. */
const pieceRows = 5_000;

/**
 * Oldest first. Makes a message of each row as it arrives, which halves the time of a long history. A summary stands
 * half a position before its first message, so pieces begin a quarter after a position.
 */
export async function history(
  sql: Sql,
  span: VisibleSpan & { limit: number },
  rowsAPiece = pieceRows,
): Promise<StoredMessage[]> {
  const { owner, session, leaf, after, before, limit, overlays } = span;
  const messages: StoredMessage[] = [];
  const rows =
    limit < everything
      ? sql<HistoryRow[]>`
        select id, role, created_at, content, summarized
        from chat_lines(
          ${owner}, ${session}, ${leaf}, ${after}::float8, ${before}::float8, ${limit}, ${overlays}, 0
        )`
      : sql<HistoryRow[]>`
        select line.id, line.role, line.created_at, line.content, line.summarized
        from chat_place(${owner}, ${session}, ${leaf}) place
        cross join lateral generate_series(place.pos / ${rowsAPiece}::integer, 0, -1) piece
        cross join lateral chat_lines(
          ${owner}, ${session}, ${leaf}, greatest(${after}::float8, piece * ${rowsAPiece}::integer + 0.25::float8),
          least(${before}::float8, (piece + 1) * ${rowsAPiece}::integer + 0.25::float8), ${limit}, ${overlays}, 0
        ) line`;
  await translated(sql.stream(rows, (row) => void messages.push(messageFromLine(row))));
  return messages.reverse();
}

interface WindowFacts {
  readonly limit: number;
  readonly leafId: string | null;
  /** Default: there is one row more than `limit`. */
  readonly hasMore?: boolean;
}

export function windowFromRows(
  rows: readonly WindowRow[],
  { limit, leafId, hasMore = rows.length > limit }: WindowFacts,
): TranscriptWindow {
  return {
    entries: rows
      .slice(0, limit)
      .map((row, index) => entryFromRow(row, rows[index + 1]))
      .reverse(),
    leafId,
    hasMore,
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

/** A summary takes the siblings of its first message. */
export function siblingsOf({ sibling_ids }: Pick<WindowRow, "sibling_ids">, own: string): Siblings {
  const ids = sibling_ids ?? [own];
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
