import type { SummaryRunWire } from "@/lib/chat/wire/compaction";

const asked = new Map<string, SummaryRunWire>();
const shown = new Set<string>();

/**
 * Summaries that were asked for in this tab. All tabs show them; the one whose person wants them goes there by itself and
 * offers to take them back.
 */
export const summariesAskedHere = {
  add: (summary: SummaryRunWire) => void asked.set(summary.id, summary),
  has: (id: string) => asked.has(id),
  /** Those of a session that the reader has not been led to in their final place. */
  toShow: (sessionId: string) =>
    [...asked.values()].filter((each) => each.sessionId === sessionId && !shown.has(each.id)),
  /** The reader was led to it. */
  showed: (id: string) => void shown.add(id),
};
