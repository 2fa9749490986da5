"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

export const firstHits = 30;
export const mostHits = 100;

export function useSearch(
  q: string,
  { session = null, limit = firstHits }: { session?: string | null; limit?: number } = {},
) {
  const asked = q.trim();
  return useQuery({
    queryKey: queryKeys.search(asked, session, limit),
    queryFn: ({ signal }) =>
      api("GET /api/search", { query: { q: asked, session, limit }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
}
