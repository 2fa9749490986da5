"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useProjects } from "@/app/_data/projects/use-projects";
import { pageSpace } from "@/app/_ui/page-space";
import { askedProject } from "@/lib/chat/wire/asked-project";

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
    enabled: asked !== "" && (session !== null || askedProject(asked).project === null),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
}

export function useSearchElsewhere(q: string) {
  const asked = q.trim();
  const hasOthers = (useProjects().data?.projects ?? []).some(({ id }) => id !== pageSpace);
  const isAsked = pageSpace !== null || hasOthers || askedProject(asked).project !== null;
  return useQuery({
    queryKey: queryKeys.searchElsewhere(asked),
    queryFn: ({ signal }) => api("GET /api/search/elsewhere", { query: { q: asked }, signal }),
    enabled: asked !== "" && isAsked,
    staleTime: 5_000,
  });
}
