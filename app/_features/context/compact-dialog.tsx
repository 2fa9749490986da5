"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useCompacting, useCompactionPreview } from "@/app/_data/compaction/use-compactions";
import { useTree } from "@/app/_data/tree/use-tree";
import { FocusField } from "@/app/_message/compaction/focus-field";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";

export interface CompactDialogProps {
  sessionId: string;
  leafId: string | null;
  onClose: () => void;
  initialFocus?: string;
}

export function CompactDialog(props: CompactDialogProps) {
  const { sessionId, leafId, onClose, initialFocus = "" } = props;
  const [focus, setFocus] = useState(initialFocus);
  const preview = useCompactionPreview(sessionId, leafId, { enabled: true });
  const compact = useCompacting(sessionId);
  const isWriting = preview.data?.isWriting ?? false;
  const range = preview.data?.range ?? null;
  const canCompact = range !== null && !isWriting;

  function start() {
    if (!range) return;
    onClose();
    const wanted = focus.trim();
    void compact({ ...(leafId !== null && { leafId }), ...(wanted !== "" && { focus: wanted }) });
  }

  return (
    <Dialog
      onClose={onClose}
      title="Summarize this chat"
      description="The model gets a summary in place of older messages. You can still read them all, and undo it at any time."
      width="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!canCompact} onClick={start}>
            Summarize
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {preview.isPending && <ListSkeleton label="Loading preview" rows={3} />}
        <Failure of={preview} />
        {preview.data && <PreviewWords sessionId={sessionId} preview={preview.data} />}
        {canCompact && <FocusField value={focus} onChange={setFocus} />}
        {isWriting && (
          <p className="text-muted text-sm">A summary of this chat is being written.</p>
        )}
      </div>
    </Dialog>
  );
}

function PreviewWords({
  sessionId,
  preview,
}: {
  sessionId: string;
  preview: CompactionPreviewWire;
}) {
  const { data: tree } = useTree(sessionId);
  const { range, keptMessageCount, keptTokens } = preview;
  const kept = `${countOf(keptMessageCount, "message")} · ${formatTokens(keptTokens)}`;
  if (!range) {
    return (
      <p className="text-muted text-sm">
        Nothing to summarize yet. Recent messages are always kept verbatim, and that is all of them
        ({kept}).
      </p>
    );
  }
  const previewOf = (id: string) => tree?.nodes.find((node) => node.id === id);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3 text-sm">
      <dt className="text-faint">Summarizes</dt>
      <dd>
        <p className="font-medium">
          {countOf(range.messageCount, "message")} · {formatTokens(range.tokens)}
        </p>
        {range.summarizedCount > 0 && (
          <p className="text-muted text-xs">
            {range.summarizedCount === range.messageCount
              ? "All are already summarized; that summary will be extended."
              : `${range.summarizedCount} are already summarized; that summary will be extended.`}
          </p>
        )}
        <Quote from={previewOf(range.fromMessageId)} to={previewOf(range.toMessageId)} />
      </dd>
      <dt className="text-faint">Keeps</dt>
      <dd>
        <p className="font-medium">{kept}</p>
        <p className="text-muted text-xs">Recent and bookmarked messages, verbatim.</p>
      </dd>
    </dl>
  );
}

function Quote({ from, to }: { from: TreeNodeWire | undefined; to: TreeNodeWire | undefined }) {
  if (!from?.preview && !to?.preview) return null;
  return (
    <p className="line-clamp-3 text-muted text-xs">
      From <q dir="auto">{from?.preview || "…"}</q> to <q dir="auto">{to?.preview || "…"}</q>
    </p>
  );
}
