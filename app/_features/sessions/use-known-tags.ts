"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { TagsWire } from "@/lib/chat/wire/sessions";

export type KnownTag = TagsWire["tags"][number];

const none: readonly KnownTag[] = [];

/** Most used first. */
export function useKnownTags(): readonly KnownTag[] {
  const { data } = useQuery({
    queryKey: queryKeys.tags,
    queryFn: ({ signal }) => api("GET /api/tags", { signal }),
  });
  return data?.tags ?? none;
}
