"use client";

import { toastDone, toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { useBlockVersions, useWriteBlock } from "@/app/_hooks/api/use-blocks";
import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";
import { blockTitle } from "./block-words";
import { VersionHistory } from "./version-history";

export interface BlockHistoryProps {
  sessionId: BlockScope;
  block: BlockWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

/** The versions of a plain block. */
export function BlockHistory({ sessionId, block, onClose, onOpenLeaf }: BlockHistoryProps) {
  const versions = useBlockVersions(sessionId, block.label);
  const writing = useWriteBlock(sessionId);

  function restore({ version, content }: VersionWire) {
    writing.mutate(
      { label: block.label, content: content ?? "", expectedVersion: block.version },
      {
        onSuccess: () => toastDone(`Version ${version} is back.`),
        onError: (error) => toastError(errorSentence(error)),
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
