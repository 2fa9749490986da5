"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiGet, withQuery } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { SearchWire } from "@/lib/chat/wire/search";

/** Searches everything, or one session. Earlier results stay until the new ones are there; an empty `q` asks nothing. */
export function useSearch(
  q: string,
  { session = null, limit = 30 }: { session?: string | null; limit?: number } = {},
) {
  const asked = q.trim();
  return useQuery({
    queryKey: queryKeys.search(asked, session),
    queryFn: ({ signal }) =>
      apiGet<SearchWire>(withQuery("/api/search", { q: asked, session, limit }), signal),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
}
