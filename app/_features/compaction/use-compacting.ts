"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { apiPath, apiSend } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_ui/toast";
import type { compactRequest, SummaryRunWire } from "@/lib/chat/wire/compaction";
import { summariesAskedHere } from "./summaries-asked-here";

export type CompactWish = z.input<typeof compactRequest>;

/** Requests a summary, shown in the transcript. */
export function useCompacting(sessionId: string) {
  const client = useQueryClient();

  return async function compact(wish: CompactWish): Promise<void> {
    try {
      const path = apiPath`/api/sessions/${sessionId}/compactions`;
      const { summary } = await apiSend<{ summary: SummaryRunWire }>("POST", path, wish);
      summariesAskedHere.add(summary);
      await client.invalidateQueries({ queryKey: queryKeys.transcripts(sessionId) });
    } catch (error) {
      toastError(errorSentence(error), () => void compact(wish));
    }
  };
}
