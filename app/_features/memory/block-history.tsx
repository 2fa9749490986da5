"use client";

import type { BlockScope } from "@/app/_api/query-keys";
import { toastDone, toastError } from "@/app/_ui/toast";
import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";
import { blockTitle } from "./block-words";
import { useBlockVersions, useWriteBlock } from "./use-blocks";
import { VersionHistory } from "./version-history";

export interface BlockHistoryProps {
  sessionId: BlockScope;
  block: BlockWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

export function BlockHistory({ sessionId, block, onClose, onOpenLeaf }: BlockHistoryProps) {
  const versions = useBlockVersions(sessionId, block.id);
  const writing = useWriteBlock(sessionId);

  function restore({ version, content }: VersionWire) {
    writing.mutate(
      { blockId: block.id, content: content ?? "", expectedVersion: block.version },
      {
        onSuccess: () => toastDone(`Version ${version} restored.`),
        onError: (error) => toastError(error),
      },
    );
  }

  return (
    <VersionHistory
      title={blockTitle(block.label)}
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
