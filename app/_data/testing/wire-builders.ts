import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { EntryWire, RunWire, TranscriptWire } from "@/lib/chat/wire/messages";

/** Ids that begin with `a` are answers. */
export function entry(
  id: string,
  parentId: string | null,
  change: Partial<EntryWire> = {},
): EntryWire {
  return {
    message: {
      id,
      role: id.startsWith("a") ? "assistant" : "user",
      parts: [{ type: "text", text: id }],
    },
    createdAt: "2026-03-01T12:00:00.000Z",
    parentId,
    siblings: { index: 0, count: 1, previousId: null, nextId: null },
    pinned: false,
    label: null,
    position: 0,
    ...change,
  };
}

export function path(...ids: string[]): EntryWire[] {
  return ids.map((id, index) => entry(id, ids[index - 1] ?? null, { position: index + 1 }));
}

export function page(entries: EntryWire[], change: Partial<TranscriptWire> = {}): TranscriptWire {
  const leafId = entries.at(-1)?.message.id ?? null;
  return { entries, leafId, hasMore: false, runs: [], summaries: [], ...change };
}

export function run(messageId: string, parentId: string): RunWire {
  return {
    id: `run-${messageId}`,
    sessionId: "s",
    messageId,
    parentId,
    model: "demo",
    status: "running",
    part: 0,
    startedAt: "2026-03-01T12:00:00.000Z",
  };
}

export function summaryRun(
  toMessageId: string,
  change: Partial<SummaryRunWire> = {},
): SummaryRunWire {
  return {
    id: `summary-${toMessageId}`,
    sessionId: "s",
    status: "running",
    fromMessageId: "q1",
    toMessageId,
    firstPosition: 1,
    lastPosition: 2,
    leafId: "a2",
    focus: null,
    replaces: null,
    isManual: true,
    model: "demo",
    problem: null,
    startedAt: "2026-03-01T12:00:00.000Z",
    ...change,
  };
}
