"use client";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { CompactionPreviewWire, CompactionWire } from "@/lib/chat/wire/compaction";

/** What compacting the path to `leaf` now would fold and keep. */
export function useCompactionPreview(
  sessionId: string,
  leaf: string | null,
  { enabled }: { enabled: boolean },
) {
  return useQuery({
    queryKey: queryKeys.compactionPreview(sessionId, leaf),
    queryFn: ({ signal }) =>
      apiGet<CompactionPreviewWire>(
        withQuery(apiPath`/api/sessions/${sessionId}/compactions/preview`, { leaf }),
        signal,
      ),
    enabled,
    staleTime: 0,
  });
}

/** Replaces the text of a summary with the person's own. */
export function useChangeCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, summary }: { id: string; summary: string }) =>
      apiSend<CompactionWire>("PATCH", apiPath`/api/sessions/${sessionId}/compactions/${id}`, {
        summary,
      }),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

/** Takes a summary away, so that its messages count again. */
export function useDeleteCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiSend<unknown>("DELETE", apiPath`/api/sessions/${sessionId}/compactions/${id}`),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

/** Puts a removed summary back. */
export function useRestoreCompaction(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiSend<unknown>("POST", apiPath`/api/sessions/${sessionId}/compactions/${id}/restore`),
    onSuccess: () => rereadSession(client, sessionId),
  });
}

function rereadSession(client: QueryClient, sessionId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: queryKeys.session(sessionId) });
}
