"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { sessionAddress } from "@/app/_data/search/search-addresses";

export function useCompare(
  sessionId: string,
  { left, right, limit }: { left: string; right: string; limit: number },
) {
  return useQuery({
    queryKey: queryKeys.compare(sessionId, { left, right, limit }),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/compare", {
        params: { sessionId },
        query: { left, right, limit },
        signal,
      }),
    enabled: left !== "" && right !== "",
    placeholderData: (before, query) =>
      isSame(query?.queryKey[3], { left, right }) ? before : undefined,
  });
}

function isSame(
  sides: { left: string; right: string } | undefined,
  { left, right }: { left: string; right: string },
): boolean {
  return sides?.left === left && sides.right === right;
}

export function compareAddress(sessionId: string, left: string, right: string): string {
  const sides = new URLSearchParams({ left, right });
  return `${sessionAddress(sessionId)}/compare?${sides}`;
}

export type Side = "left" | "right";

export const sideNames = { left: "Left branch", right: "Right branch" } as const;
