"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { UseWire } from "@/lib/chat/wire/context";

const nothing: readonly UseWire[] = [];

/** Empty while loading, and for `null`. */
export function useUses(sessionId: string, messageId: string | null): readonly UseWire[] {
  const { data } = useQuery({
    queryKey: queryKeys.uses(sessionId, messageId ?? ""),
    queryFn: async ({ signal }) => {
      const { uses } = await api("GET /api/sessions/:sessionId/messages/:messageId/uses", {
        params: { sessionId, messageId: messageId ?? "" },
        signal,
      });
      return uses;
    },
    enabled: messageId !== null,
  });
  return data ?? nothing;
}
