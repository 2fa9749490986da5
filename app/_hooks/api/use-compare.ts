"use client";

import { useQuery } from "@tanstack/react-query";
import type { CompareWire } from "@/lib/chat/wire/branches";
import { apiGet, apiPath, withQuery } from "./api";
import { queryKeys } from "./query-keys";

/** Two paths of a session from the last message they share; read again whenever the session changes. */
export function useCompare(sessionId: string, { left, right }: { left: string; right: string }) {
  return useQuery({
    queryKey: queryKeys.compare(sessionId, left, right),
    queryFn: ({ signal }) =>
      apiGet<CompareWire>(
        withQuery(apiPath`/api/sessions/${sessionId}/compare`, { left, right }),
        signal,
      ),
    enabled: left !== "" && right !== "",
  });
}
