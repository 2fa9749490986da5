"use client";

import { useSummaryWriting } from "@/app/_hooks/chat/use-summary-writing";
import { useCompacting } from "@/app/_hooks/drawer/use-compacting";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import { RedoForm } from "./redo-form";
import { SummaryInWriting } from "./summary-in-writing";

export interface RedoPanelProps {
  sessionId: string;
  leafId: string;
  compaction: CompactionWire;
  onClose: () => void;
}

/** Has a summary written anew. The old one stays until the new one takes its place. */
export function RedoPanel({ sessionId, leafId, compaction, onClose }: RedoPanelProps) {
  const compact = useCompacting(sessionId);
  const summary = useSummaryWriting(sessionId);
  const start = (focus: string) =>
    void compact({ leafId, focus, upTo: compaction.toMessageId, replaces: compaction.id });
  if (summary?.wish.replaces === compaction.id) {
    return <SummaryInWriting summary={summary} onRetry={() => start(summary.wish.focus)} />;
  }
  return <RedoForm initialFocus={compaction.focus ?? ""} onRedo={start} onCancel={onClose} />;
}
