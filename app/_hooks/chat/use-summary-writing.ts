"use client";

import { useCallback, useSyncExternalStore } from "react";
import { summaryStore } from "./summary-store";
import type { SummaryWriting } from "./summary-writing";

/** The summary being written for a session from this tab, or the one that was written last; `null` for none. */
export function useSummaryWriting(sessionId: string): SummaryWriting | null {
  const read = useCallback(() => summaryStore.read(sessionId), [sessionId]);
  return useSyncExternalStore(summaryStore.subscribe, read, () => null);
}
