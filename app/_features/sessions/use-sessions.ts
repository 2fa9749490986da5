"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/app/_api/api";
import { queryKeys, type SessionFilter } from "@/app/_api/query-keys";

const pageSize = 100;

export function useSessions(filter: SessionFilter) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.sessionList(filter),
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/sessions", {
        query: {
          archived: filter.archived ? 1 : null,
          tag: filter.tag,
          cursor: pageParam,
          limit: pageSize,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // Server events keep the list current; all pages are read again only after reconnecting.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pages = query.data?.pages;
  const sessions = useMemo(() => pages?.flatMap((page) => page.sessions) ?? [], [pages]);
  return { ...query, sessions };
}
