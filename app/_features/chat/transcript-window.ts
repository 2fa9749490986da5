import type { BookmarkMarks } from "@/app/_message/chat-session-context";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { EntryWire, LargeOutputWire, RunWire, TranscriptWire } from "@/lib/chat/wire/messages";

/** Consecutive entries, oldest first, down to `leafId` unless `hasNewer`. */
export interface LoadedTranscript {
  readonly entries: readonly EntryWire[];
  readonly leafId: string | null;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly runs: readonly RunWire[];
  readonly summaries: readonly SummaryRunWire[];
}

export const emptyWindow: LoadedTranscript = {
  entries: [],
  leafId: null,
  hasOlder: false,
  hasNewer: false,
  runs: [],
  summaries: [],
};

export function openWindow(page: TranscriptWire): LoadedTranscript {
  return {
    ...emptyWindow,
    entries: page.entries,
    leafId: page.leafId,
    hasOlder: page.hasMore,
    runs: page.runs,
    summaries: page.summaries,
  };
}

export function openWindowAround(older: TranscriptWire, newer: TranscriptWire): LoadedTranscript {
  return {
    ...emptyWindow,
    entries: [...older.entries, ...newer.entries],
    leafId: newer.leafId,
    hasOlder: older.hasMore,
    hasNewer: newer.hasMore,
    runs: newer.runs,
    summaries: newer.summaries,
  };
}

export function prependOlder(window: LoadedTranscript, page: TranscriptWire): LoadedTranscript {
  const known = new Set(window.entries.map(idOf));
  const older = page.entries.filter((entry) => !known.has(idOf(entry)));
  return { ...window, entries: [...older, ...window.entries], hasOlder: page.hasMore };
}

export function appendNewer(window: LoadedTranscript, page: TranscriptWire): LoadedTranscript {
  const known = new Set(window.entries.map(idOf));
  const newer = page.entries.filter((entry) => !known.has(idOf(entry)));
  return { ...window, entries: [...window.entries, ...newer], hasNewer: page.hasMore };
}

/** A page without overlap replaces the window, unless the reader is mid-path. A running answer stays until stored. */
export function mergeNewest(window: LoadedTranscript, read: TranscriptWire): LoadedTranscript {
  const page = { ...read, entries: keepUnchanged(window.entries, read.entries) };
  const runs = withUnsettled(window, page);
  const first = page.entries[0];
  const meetsAt = first ? window.entries.findIndex((entry) => idOf(entry) === idOf(first)) : -1;
  if (meetsAt === -1 && window.hasNewer) {
    const goesOn = page.entries.some((entry) => idOf(entry) === window.leafId);
    const leafId = goesOn ? page.leafId : window.leafId;
    return { ...window, leafId, runs, summaries: page.summaries };
  }
  if (meetsAt <= 0) return { ...openWindow(page), runs };
  return {
    ...openWindow(page),
    entries: [...window.entries.slice(0, meetsAt), ...page.entries],
    hasOlder: window.hasOlder,
    runs,
  };
}

/** Unchanged entries stay the same objects, so that their rows are not rendered again. */
function keepUnchanged(known: readonly EntryWire[], read: readonly EntryWire[]): EntryWire[] {
  const byId = new Map(known.map((entry) => [idOf(entry), entry]));
  return read.map((entry) => {
    const before = byId.get(idOf(entry));
    return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry;
  });
}

function withUnsettled(window: LoadedTranscript, page: TranscriptWire): readonly RunWire[] {
  const run = runAtEnd(window);
  const isKnown = page.runs.some(({ id }) => id === run?.id);
  return !run || isKnown || page.leafId !== run.parentId ? page.runs : [...page.runs, run];
}

export function indexAfter(window: LoadedTranscript, messageId: string | null): number | null {
  if (messageId === null) return window.hasOlder ? null : 0;
  const index = window.entries.findIndex(
    (entry) => idOf(entry) === messageId || entry.compaction?.toMessageId === messageId,
  );
  return index === -1 ? null : index + 1;
}

export function cutAfter(window: LoadedTranscript, messageId: string | null): LoadedTranscript {
  const end = indexAfter(window, messageId);
  if (end === null) return window;
  return { ...window, entries: window.entries.slice(0, end), leafId: messageId, hasNewer: false };
}

export function withStored(window: LoadedTranscript, entry: EntryWire): LoadedTranscript {
  const path = cutAfter(window, entry.parentId);
  const isKnown = path.entries.some((known) => idOf(known) === idOf(entry));
  return {
    ...path,
    entries: isKnown ? path.entries : [...path.entries, entry],
    leafId: idOf(entry),
    hasNewer: false,
  };
}

export function withRun(window: LoadedTranscript, run: RunWire): LoadedTranscript {
  const runs = [...window.runs.filter((known) => known.id !== run.id), run];
  return { ...cutAfter(window, run.parentId), runs };
}

export function withRunElsewhere(window: LoadedTranscript, run: RunWire): LoadedTranscript {
  return { ...window, runs: [...window.runs.filter((known) => known.id !== run.id), run] };
}

export function withoutRun(window: LoadedTranscript, runId: string): LoadedTranscript {
  return { ...window, runs: window.runs.filter((run) => run.id !== runId) };
}

export function withSummary(window: LoadedTranscript, summary: SummaryRunWire): LoadedTranscript {
  const others = window.summaries.filter(({ id }) => id !== summary.id);
  return { ...window, summaries: [...others, summary] };
}

export function withoutSummary(window: LoadedTranscript, id: string): LoadedTranscript {
  return { ...window, summaries: window.summaries.filter((summary) => summary.id !== id) };
}

export function runOnPath(window: LoadedTranscript): RunWire | null {
  return window.hasNewer ? null : runAtEnd(window);
}

export function runAtEnd(window: LoadedTranscript): RunWire | null {
  return runsAtEnd(window)[0] ?? null;
}

export function runsAtEnd(window: LoadedTranscript): readonly RunWire[] {
  const stored = new Set(window.entries.map(idOf));
  const isAtEnd = (run: RunWire) =>
    run.part > 0
      ? run.messageId === window.leafId
      : run.parentId === window.leafId && !stored.has(run.messageId);
  return window.runs.filter(isAtEnd);
}

export function withSentInFull(
  window: LoadedTranscript,
  { messageId, toolCallId }: Pick<LargeOutputWire, "messageId" | "toolCallId">,
  isSentInFull: boolean,
): LoadedTranscript {
  const changed = (output: LargeOutputWire) =>
    output.toolCallId === toolCallId ? { ...output, isSentInFull } : output;
  const entries = window.entries.map((entry) =>
    idOf(entry) === messageId && entry.largeOutputs
      ? { ...entry, largeOutputs: entry.largeOutputs.map(changed) }
      : entry,
  );
  return { ...window, entries };
}

export function withMarks(
  window: LoadedTranscript,
  messageId: string,
  marks: BookmarkMarks,
): LoadedTranscript {
  const entries = window.entries.map((entry) =>
    idOf(entry) === messageId ? { ...entry, ...marks } : entry,
  );
  return { ...window, entries };
}

export function withoutMessages(
  window: LoadedTranscript,
  messageIds: readonly string[],
): LoadedTranscript {
  const gone = new Set(messageIds);
  const entries = window.entries.filter((entry) => !gone.has(idOf(entry)));
  const leafGone = window.leafId !== null && gone.has(window.leafId);
  return { ...window, entries, leafId: leafGone ? lastId(entries) : window.leafId };
}

function lastId(entries: readonly EntryWire[]): string | null {
  const last = entries.at(-1);
  return last ? (last.compaction?.toMessageId ?? idOf(last)) : null;
}

function idOf(entry: EntryWire): string {
  return entry.message.id;
}
