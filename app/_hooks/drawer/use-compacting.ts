"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { toastError } from "@/app/_components/ui/toast";
import { apiPath, apiSend } from "@/app/_hooks/api/api";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { queryKeys } from "@/app/_hooks/api/query-keys";
import { summariesAskedHere } from "@/app/_hooks/chat/summaries-asked-here";
import type { compactRequest, SummaryRunWire } from "@/lib/chat/wire/compaction";

export type CompactWish = z.input<typeof compactRequest>;

/** Has a summary written, which is then watched in the transcript. */
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
