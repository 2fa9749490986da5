import type { Compaction, CompactionMetadata } from "@/lib/session";

export interface CompactionRow {
  id: string;
  summary: string;
  from_message_id: string;
  to_message_id: string;
  created_at: Date;
  metadata: string;
}

/** A compaction from its row. */
export function compactionFromRow(row: CompactionRow): Compaction {
  const metadata = JSON.parse(row.metadata) as CompactionMetadata;
  return {
    id: row.id,
    summary: row.summary,
    fromMessageId: row.from_message_id,
    toMessageId: row.to_message_id,
    createdAt: row.created_at,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
