"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

/** `null` reads nothing. */
export function useSession(sessionId: string | null) {
  return useQuery({
    queryKey: queryKeys.sessionDetail(sessionId ?? ""),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId", { params: { sessionId: sessionId ?? "" }, signal }),
    enabled: sessionId !== null,
  });
}
