"use client";

import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import type { DeletedWire } from "@/lib/chat/wire/deletions";

/** Newest first, page by page. Read again whenever anything was deleted or restored. */
export function useDeletions() {
  const client = useQueryClient();
  useServerEvent(() => void reread(client));
  return useInfiniteQuery({
    queryKey: queryKeys.deletions,
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/deletions", { query: { after: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export function useRestoreDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeletedWire) =>
      api("POST /api/deletions/:deletionId/restore", { params: { deletionId: id } }),
    onSuccess: () => client.invalidateQueries(),
    onError: () => reread(client),
  });
}

export function useDeleteForGood() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeletedWire) =>
      api("DELETE /api/deletions/:deletionId", { params: { deletionId: id } }),
    onSettled: () => reread(client),
  });
}

function reread(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: queryKeys.deletions });
}
