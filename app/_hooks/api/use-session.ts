"use client";

import { useQuery } from "@tanstack/react-query";
import type { SessionDetailWire } from "@/lib/chat/wire/sessions";
import { apiGet, apiPath } from "./api";
import { queryKeys } from "./query-keys";

/** One session with its lineage; `null` reads nothing. */
export function useSession(sessionId: string | null) {
  return useQuery({
    queryKey: queryKeys.sessionDetail(sessionId ?? ""),
    queryFn: ({ signal }) =>
      apiGet<SessionDetailWire>(apiPath`/api/sessions/${sessionId ?? ""}`, signal),
    enabled: sessionId !== null,
  });
}
