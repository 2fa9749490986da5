"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { queryKeys } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { ListSkeleton } from "@/app/_ui/loading";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import type { EntryWire } from "@/lib/chat/wire/messages";

export interface OriginalMessagesProps {
  sessionId: string;
  compaction: CompactionWire;
  renderEntry: (entry: EntryWire) => ReactNode;
}

export function OriginalMessages({ sessionId, compaction, renderEntry }: OriginalMessagesProps) {
  const originals = useOriginals(sessionId, compaction);
  if (originals.isError && originals.entries.length === 0) {
    return <Failure of={originals} />;
  }
  if (originals.isPending) return <ListSkeleton label="Loading original messages" rows={6} />;
  return (
    <section aria-label="Original messages" className="border-accent/40 border-s-2 ps-4">
      {originals.hasNextPage && (
        <Button
          size="sm"
          busy={originals.isFetchingNextPage}
          onClick={() => void originals.fetchNextPage()}
        >
          Show earlier originals
        </Button>
      )}
      {originals.entries.map((entry) => (
        <Fragment key={entry.message.id}>{renderEntry(entry)}</Fragment>
      ))}
    </section>
  );
}

const pageSize = 100;

/** `entries` is in reading order and grows at its start. */
function useOriginals(sessionId: string, compaction: CompactionWire) {
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.session(sessionId), "originals", compaction.id],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        leaf: compaction.toMessageId,
        overlays: 0,
        limit: pageSize,
        before: pageParam,
      };
      const params = { sessionId };
      return api("GET /api/sessions/:sessionId/transcript", { params, query, signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => {
      const first = page.entries[0];
      const isComplete = page.entries.some(
        (entry) => entry.message.id === compaction.fromMessageId,
      );
      return first && page.hasMore && !isComplete ? first.position : undefined;
    },
  });
  const pages = query.data?.pages ?? [];
  const entries = pages.toReversed().flatMap((page) => page.entries);
  return { ...query, entries: withinRange(entries, compaction.fromMessageId) };
}

function withinRange(entries: readonly EntryWire[], fromMessageId: string): readonly EntryWire[] {
  const start = entries.findIndex((entry) => entry.message.id === fromMessageId);
  return start < 0 ? entries : entries.slice(start);
}
