import type { CompactionEventWire, CompactionWire } from "@/lib/chat/wire/compaction";
import type { ErrorWire } from "@/lib/chat/wire/events";

/** A summary that was asked for in this tab. */
export interface SummaryWriting {
  readonly id: string;
  readonly wish: SummaryWish;
  /** What is written of it so far. */
  readonly text: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: SummaryState;
}

export interface SummaryWish {
  readonly sessionId: string;
  readonly leafId: string | null;
  readonly focus: string;
  /** The last message it will stand for, as far as it is known. */
  readonly upTo: string | null;
  /** The summary it will take the place of. */
  readonly replaces: string | null;
}

export type SummaryState =
  | { readonly kind: "writing" }
  | { readonly kind: "stopping" }
  /** It is stored; the transcript may not have read it yet. */
  | { readonly kind: "done"; readonly compaction: CompactionWire }
  | { readonly kind: "failed"; readonly reason: string };

export function newSummary(id: string, wish: SummaryWish, startedAt: number): SummaryWriting {
  return { id, wish, text: "", startedAt, state: { kind: "writing" } };
}

/** The summary after what the server said of it. */
export function nextSummary(summary: SummaryWriting, event: CompactionEventWire): SummaryWriting {
  switch (event.type) {
    case "started":
      return { ...summary, text: "" };
    case "text":
      return { ...summary, text: summary.text + event.text };
    case "done":
      return { ...summary, state: { kind: "done", compaction: event.compaction } };
    case "failed":
      return { ...summary, state: { kind: "failed", reason: event.error.message } };
  }
}

/** Whether a failure is what the person asked for. */
export function isStopped({ error }: ErrorWire): boolean {
  return error.code === "compaction-stopped";
}
