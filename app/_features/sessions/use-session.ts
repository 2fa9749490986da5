"use client";

import { useQuery } from "@tanstack/react-query";
import { apiGet, apiPath } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { SessionDetailWire } from "@/lib/chat/wire/sessions";

/** One session with its lineage; `null` reads nothing. */
export function useSession(sessionId: string | null) {
  return useQuery({
    queryKey: queryKeys.sessionDetail(sessionId ?? ""),
    queryFn: ({ signal }) =>
      apiGet<SessionDetailWire>(apiPath`/api/sessions/${sessionId ?? ""}`, signal),
    enabled: sessionId !== null,
  });
}
