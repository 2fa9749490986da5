"use client";

import { toastDone, toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { useEntryVersions, useWriteEntry } from "@/app/_hooks/api/use-entries";
import type { EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { VersionHistory } from "./version-history";

export interface EntryHistoryProps {
  sessionId: BlockScope;
  label: string;
  entry: EntryDocumentWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

/** The versions of one skill or piece of knowledge. */
export function EntryHistory({ sessionId, label, entry, onClose, onOpenLeaf }: EntryHistoryProps) {
  const versions = useEntryVersions(sessionId, label, entry.key);
  const writing = useWriteEntry(sessionId);

  function restore({ version, content }: VersionWire) {
    const { key, title, description } = entry;
    writing.mutate(
      {
        label,
        key,
        title,
        content: content ?? "",
        expectedVersion: entry.version,
        ...(description === null ? {} : { description }),
      },
      {
        onSuccess: () => toastDone(`Version ${version} is back.`),
        onError: (error) => toastError(errorSentence(error)),
      },
    );
  }

  return (
    <VersionHistory
      title={entry.title}
      sessionId={sessionId}
      versions={versions.data}
      error={versions.error}
      onRetry={() => void versions.refetch()}
      onClose={onClose}
      onOpenLeaf={onOpenLeaf}
      onRestore={restore}
      restoring={writing.isPending}
    />
  );
}
