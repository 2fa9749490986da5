"use client";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

/** What compacting the path to `leaf` now would fold and keep. */
export function useCompactionPreview(
  sessionId: string,
  leaf: string | null,
  { enabled }: { enabled: boolean },
) {
  return useQuery({
    queryKey: queryKeys.compactionPreview(sessionId, leaf),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/compactions/preview", {
        params: { sessionId },
        query: { leaf },
        signal,
      }),
    enabled,
    staleTime: 0,
  });
}

/** Replaces the text of a summary with the person's own. */
export function useChangeCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, summary }: { id: string; summary: string }) =>
      api("PATCH /api/sessions/:sessionId/compactions/:compactionId", {
        params: { sessionId, compactionId: id },
        body: { summary },
      }),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

/** Takes a summary away, so that its messages count again. */
export function useDeleteCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api("DELETE /api/sessions/:sessionId/compactions/:compactionId", {
        params: { sessionId, compactionId: id },
      }),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

/** Puts a removed summary back. */
export function useRestoreCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api("POST /api/sessions/:sessionId/compactions/:compactionId/restore", {
        params: { sessionId, compactionId: id },
      }),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

function rereadSession(client: QueryClient, sessionId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: queryKeys.session(sessionId) });
}
