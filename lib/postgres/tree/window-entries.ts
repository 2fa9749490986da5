import type { Siblings, TranscriptWindow, WindowEntry } from "@/lib/session";
import { compactionFromLine, messageFromLine } from "./message-content";
import type { WindowRow } from "./window";

/** A window from its lines, newest first and one more than asked for when there are more. */
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

/** The place among the alternatives; a summary stands where the first message it covers does. */
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
