"use client";

import type { BlockScope } from "@/app/_api/query-keys";
import { toastDone, toastError } from "@/app/_ui/toast";
import type { EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { useEntryVersions, useWriteEntry } from "./use-entries";
import { VersionHistory } from "./version-history";

export interface EntryHistoryProps {
  sessionId: BlockScope;
  blockId: string;
  entry: EntryDocumentWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

export function EntryHistory({
  sessionId,
  blockId,
  entry,
  onClose,
  onOpenLeaf,
}: EntryHistoryProps) {
  const versions = useEntryVersions(sessionId, blockId, entry.key);
  const writing = useWriteEntry(sessionId);

  function restore({ version, content }: VersionWire) {
    const { key, title, description } = entry;
    writing.mutate(
      {
        blockId,
        key,
        title,
        content: content ?? "",
        expectedVersion: entry.version,
        ...(description === null ? {} : { description }),
      },
      {
        onSuccess: () => toastDone(`Version ${version} restored.`),
        onError: (error) => toastError(error),
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
