"use client";

import { useQuery } from "@tanstack/react-query";
import type { TreeWire } from "@/lib/chat/wire/branches";
import { apiGet, apiPath } from "./api";
import { queryKeys } from "./query-keys";

/** Every message of a session as a node with its parent. */
export function useTree(sessionId: string) {
  return useQuery({
    queryKey: queryKeys.tree(sessionId),
    queryFn: ({ signal }) => apiGet<TreeWire>(apiPath`/api/sessions/${sessionId}/tree`, signal),
  });
}
