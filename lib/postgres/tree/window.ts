import type { Sql } from "postgres";
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

/** Above every position and number of messages. */
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
