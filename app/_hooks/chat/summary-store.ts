import { apiPath, apiSend } from "@/app/_hooks/api/api";
import { ApiError, errorSentence } from "@/app/_hooks/api/api-error";
import { apiEvents } from "@/app/_hooks/api/api-events";
import type { CompactionEventWire, CompactionWire } from "@/lib/chat/wire/compaction";
import {
  isStopped,
  newSummary,
  nextSummary,
  type SummaryWish,
  type SummaryWriting,
} from "./summary-writing";

/** Often enough to look like writing, seldom enough to leave time for typing. */
const throttleMs = 90;

/** The summary that each session is having written from this tab: lines and dialogs come and go meanwhile. */
function createSummaryStore() {
  const listeners = new Set<() => void>();
  const summaries = new Map<string, SummaryWriting>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell() {
    clearTimeout(timer);
    timer = undefined;
    for (const listener of listeners) listener();
  }

  function show(summary: SummaryWriting) {
    summaries.set(summary.wish.sessionId, summary);
    if (summary.state.kind === "writing" && summary.text !== "")
      timer ??= setTimeout(tell, throttleMs);
    else tell();
  }

  function forget(sessionId: string) {
    if (summaries.delete(sessionId)) tell();
  }

  async function write(summary: SummaryWriting): Promise<CompactionWire | null> {
    const { sessionId, leafId, focus, replaces } = summary.wish;
    const path = apiPath`/api/sessions/${sessionId}/compactions`;
    const body = {
      ...(leafId !== null && { leafId }),
      ...(focus !== "" && { focus }),
      ...(replaces !== null && { replaces }),
    };
    for await (const event of apiEvents<CompactionEventWire>(path, body)) {
      if (event.type === "failed" && isStopped(event)) {
        forget(sessionId);
        return null;
      }
      const current = summaries.get(sessionId);
      if (current?.id === summary.id) show(nextSummary(current, event));
      if (event.type === "done") return event.compaction;
      if (event.type === "failed") return null;
    }
    throw new ApiError("The connection was lost while the summary was written.", {
      code: "offline",
      status: 0,
    });
  }

  return {
    read: (sessionId: string): SummaryWriting | null => summaries.get(sessionId) ?? null,
    /** Has a summary written; `null` when it was stopped or failed, which the store shows. */
    async start(wish: SummaryWish): Promise<CompactionWire | null> {
      const summary = newSummary(crypto.randomUUID(), wish, Date.now());
      show(summary);
      try {
        return await write(summary);
      } catch (error) {
        const current = summaries.get(wish.sessionId) ?? summary;
        show({ ...current, state: { kind: "failed", reason: errorSentence(error) } });
        return null;
      }
    },
    async stop(sessionId: string): Promise<void> {
      const summary = summaries.get(sessionId);
      if (summary?.state.kind !== "writing") return;
      show({ ...summary, state: { kind: "stopping" } });
      try {
        await apiSend("POST", apiPath`/api/sessions/${sessionId}/compactions/stop`);
      } catch (error) {
        const current = summaries.get(sessionId);
        if (current?.state.kind === "stopping") show({ ...current, state: { kind: "writing" } });
        throw error;
      }
    },
    forget,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const summaryStore = createSummaryStore();
