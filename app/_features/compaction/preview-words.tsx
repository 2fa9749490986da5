"use client";

import { useTree } from "@/app/_features/tree/use-tree";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";

export function PreviewWords({
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
        <p className="text-muted text-xs">Recent and pinned messages, verbatim.</p>
      </dd>
    </dl>
  );
}

interface QuoteProps {
  from: TreeNodeWire | undefined;
  to: TreeNodeWire | undefined;
}

function Quote({ from, to }: QuoteProps) {
  if (!from?.preview && !to?.preview) return null;
  return (
    <p className="line-clamp-3 text-muted text-xs">
      From <q dir="auto">{from?.preview || "…"}</q> to <q dir="auto">{to?.preview || "…"}</q>
    </p>
  );
}
