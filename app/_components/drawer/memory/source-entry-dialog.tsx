"use client";

import { ListSkeleton } from "@/app/_components/drawer/list-skeleton";
import { Dialog } from "@/app/_components/ui/dialog";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useEntry } from "@/app/_hooks/api/use-entries";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

export interface SourceEntryDialogProps {
  label: string;
  entry: EntryDocumentWire;
  origin: string;
  onClose: () => void;
}

/** The whole text of a skill kept elsewhere, as a model gets it. */
export function SourceEntryDialog({ label, entry, origin, onClose }: SourceEntryDialogProps) {
  const read = useEntry(label, entry.key);
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
      {!read.data && !read.isError && <ListSkeleton label="Reading the skill" rows={4} />}
      {read.data && (
        <p dir="auto" className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {read.data.content}
        </p>
      )}
    </Dialog>
  );
}
