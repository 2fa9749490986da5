import type { Siblings, TranscriptWindow, WindowEntry } from "@/lib/session";
import { compactionFromRow } from "./compaction-row";
import { messageFromLine, summaryColumns } from "./message-content";
import type { WindowRow } from "./queries/window";

/** A window from its lines, newest first and one more than asked for when there are more. */
export function windowFromRows(
  rows: readonly WindowRow[],
  { limit, leafId }: { limit: number; leafId: string | null },
): TranscriptWindow {
  return {
    entries: rows.slice(0, limit).map(entryFromRow).reverse(),
    leafId,
    hasMore: rows.length > limit,
  };
}

function entryFromRow(row: WindowRow): WindowEntry {
  return {
    message: messageFromLine(row),
    parentId: row.parent_id,
    siblings: siblingsOf(row),
    pinned: row.pinned,
    label: row.label,
    position: row.position,
    ...(row.kind === "summary" && {
      compaction: {
        ...compactionFromRow(summaryColumns(row)),
        messageCount: row.message_count ?? 0,
      },
    }),
  };
}

/** A summary stands among the alternatives to the first message it covers. */
function siblingsOf(row: WindowRow): Siblings {
  const ids = row.sibling_ids ?? [row.id];
  const own = row.kind === "summary" ? row.from_message_id : row.id;
  const index = Math.max(0, ids.indexOf(own ?? row.id));
  return {
    index,
    count: ids.length,
    previousId: ids[index - 1] ?? null,
    nextId: ids[index + 1] ?? null,
  };
}
