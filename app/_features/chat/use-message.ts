"use client";

import { useMutation } from "@tanstack/react-query";
import { apiGet, apiPath, withQuery } from "@/app/_api/api";
import type { GroveMessage, TranscriptWire } from "@/lib/chat/wire/messages";

/** Reads one message; `null` when it no longer exists. */
export function useMessage(sessionId: string) {
  return useMutation({
    mutationFn: async (messageId: string): Promise<GroveMessage | null> => {
      const path = apiPath`/api/sessions/${sessionId}/transcript`;
      const query = { leaf: messageId, limit: 1, overlays: 0 };
      const { entries } = await apiGet<TranscriptWire>(withQuery(path, query));
      return entries.find(({ message }) => message.id === messageId)?.message ?? null;
    },
  });
}
