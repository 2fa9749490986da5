"use client";

import { Fragment, type ReactNode } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { ListSkeleton } from "@/app/_ui/list-skeleton";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useOriginals } from "./use-originals";

export interface OriginalMessagesProps {
  sessionId: string;
  compaction: CompactionWire;
  renderEntry: (entry: EntryWire) => ReactNode;
}

/** The messages behind a summary, in place; the newest hundred first, the rest on demand. */
export function OriginalMessages({ sessionId, compaction, renderEntry }: OriginalMessagesProps) {
  const originals = useOriginals(sessionId, compaction, { enabled: true });
  if (originals.isError && originals.entries.length === 0) {
    return (
      <ErrorNotice onRetry={() => void originals.refetch()} retrying={originals.isFetching}>
        {errorSentence(originals.error)}
      </ErrorNotice>
    );
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
