import type { SummaryRunWire } from "@/lib/chat/wire/compaction";

const asked = new Map<string, SummaryRunWire>();
const shown = new Set<string>();

/** Summaries requested in this tab, which scrolls to them and offers undo. */
export const summariesAskedHere = {
  add: (summary: SummaryRunWire) => void asked.set(summary.id, summary),
  has: (id: string) => asked.has(id),
  /** Summaries of a session not yet scrolled to when complete. */
  toShow: (sessionId: string) =>
    [...asked.values()].filter((each) => each.sessionId === sessionId && !shown.has(each.id)),
  showed: (id: string) => void shown.add(id),
};
