"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useMemo } from "react";
import { api } from "@/app/_api/api";
import { isOwnList, queryKeys, type SessionListFilter } from "@/app/_api/query-keys";
import type { TagsWire } from "@/lib/chat/wire/sessions";

const pageSize = 100;

export function useSessions(filter: SessionListFilter) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.sessionList(filter),
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/sessions", {
        query: {
          archived: filter.archived ? 1 : null,
          tag: filter.tag,
          program: filter.program,
          own: isOwnList(filter) ? 1 : null,
          cursor: pageParam,
          limit: pageSize,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // Server events keep the list current.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pages = query.data?.pages;
  const sessions = useMemo(() => pages?.flatMap((page) => page.sessions) ?? [], [pages]);
  return { ...query, sessions };
}

export function useSession(sessionId: string | null) {
  return useQuery({
    queryKey: queryKeys.sessionDetail(sessionId ?? ""),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId", { params: { sessionId: sessionId ?? "" }, signal }),
    enabled: sessionId !== null,
  });
}

/** Reads the address: a new chat gets one without a change of route. */
export function useOpenSessionId(): string | null {
  const id = /^(?:\/p\/[^/]+)?\/s\/([^/]+)/.exec(usePathname())?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}

export function usePrograms() {
  return useQuery({
    queryKey: queryKeys.programs,
    queryFn: ({ signal }) => api("GET /api/programs", { signal }),
  });
}

export type KnownTag = TagsWire["tags"][number];

const none: readonly KnownTag[] = [];

export function useKnownTags(): readonly KnownTag[] {
  const { data } = useQuery({
    queryKey: queryKeys.tags,
    queryFn: ({ signal }) => api("GET /api/tags", { signal }),
  });
  return data?.tags ?? none;
}
