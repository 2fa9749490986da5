"use client";

import { useQuery } from "@tanstack/react-query";
import { apiGet, apiPath } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { TreeWire } from "@/lib/chat/wire/branches";

/** Every message of a session as a node with its parent. */
export function useTree(sessionId: string) {
  return useQuery({
    queryKey: queryKeys.tree(sessionId),
    queryFn: ({ signal }) => apiGet<TreeWire>(apiPath`/api/sessions/${sessionId}/tree`, signal),
  });
}
