"use client";

import { useMutation } from "@tanstack/react-query";
import { apiGet, apiPath, withQuery } from "@/app/_hooks/api/api";
import type { GroveMessage, TranscriptWire } from "@/lib/chat/wire";

/** Reads the whole text of one message; `null` when it is no longer there. */
export function useMessageText(sessionId: string) {
  return useMutation({
    mutationFn: async (messageId: string) => {
      const path = apiPath`/api/sessions/${sessionId}/transcript`;
      const query = { leaf: messageId, limit: 1, overlays: 0 };
      const { entries } = await apiGet<TranscriptWire>(withQuery(path, query));
      const entry = entries.find(({ message }) => message.id === messageId);
      return entry ? textOf(entry.message) : null;
    },
  });
}

function textOf(message: GroveMessage): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
