"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

export function useTree(sessionId: string) {
  return useQuery({
    queryKey: queryKeys.tree(sessionId),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/tree", { params: { sessionId }, signal }),
  });
}
