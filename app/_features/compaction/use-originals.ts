"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { apiGet, apiPath, withQuery } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import type { EntryWire, TranscriptWire } from "@/lib/chat/wire/messages";

const pageSize = 100;

/**
 * The stored messages of a summary, paged from the end; `entries` is in reading order and grows at its start.
 */
export function useOriginals(
  sessionId: string,
  compaction: CompactionWire,
  { enabled }: { enabled: boolean },
) {
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.session(sessionId), "originals", compaction.id],
    queryFn: ({ pageParam, signal }) => {
      const path = apiPath`/api/sessions/${sessionId}/transcript`;
      const page = {
        leaf: compaction.toMessageId,
        overlays: 0,
        limit: pageSize,
        before: pageParam,
      };
      return apiGet<TranscriptWire>(withQuery(path, page), signal);
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => {
      const first = page.entries[0];
      const isComplete = page.entries.some(
        (entry) => entry.message.id === compaction.fromMessageId,
      );
      return first && page.hasMore && !isComplete ? first.position : undefined;
    },
    enabled,
  });
  const pages = query.data?.pages ?? [];
  const entries = pages.toReversed().flatMap((page) => page.entries);
  return { ...query, entries: withinRange(entries, compaction.fromMessageId) };
}

function withinRange(entries: readonly EntryWire[], fromMessageId: string): readonly EntryWire[] {
  const start = entries.findIndex((entry) => entry.message.id === fromMessageId);
  return start < 0 ? entries : entries.slice(start);
}
