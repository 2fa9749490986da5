"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

/** Of messages; more are asked for. */
export const firstHits = 30;
export const mostHits = 100;

/** Keeps earlier results while loading; an empty `q` requests nothing. */
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
