"use client";

import { errorSentence } from "@/app/_api/api-error";
import { Dialog } from "@/app/_ui/dialog";
import { ListSkeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { useEntry } from "./use-entries";

export interface SourceEntryDialogProps {
  blockId: string;
  entry: EntryDocumentWire;
  origin: string;
  onClose: () => void;
}

export function SourceEntryDialog({ blockId, entry, origin, onClose }: SourceEntryDialogProps) {
  const read = useEntry(blockId, entry.key);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={entry.title}
      description={`${entry.description ?? "No description."} ${origin}: it is changed there.`}
      width="lg"
    >
      {read.isError && (
        <ErrorNotice onRetry={() => void read.refetch()} retrying={read.isFetching}>
          {errorSentence(read.error)}
        </ErrorNotice>
      )}
      {!read.data && !read.isError && <ListSkeleton label="Loading skill" rows={4} />}
      {read.data && (
        <p dir="auto" className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {read.data.content}
        </p>
      )}
    </Dialog>
  );
}
