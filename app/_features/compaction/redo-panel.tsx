"use client";

import type { CompactionWire } from "@/lib/chat/wire/compaction";
import { RedoForm } from "./redo-form";
import { useCompacting } from "./use-compacting";

export interface RedoPanelProps {
  sessionId: string;
  leafId: string;
  compaction: CompactionWire;
  onClose: () => void;
}

/** Has a summary written anew. The old one stays until the new one takes its place. */
export function RedoPanel({ sessionId, leafId, compaction, onClose }: RedoPanelProps) {
  const compact = useCompacting(sessionId);

  function start(focus: string) {
    onClose();
    void compact({ leafId, ...(focus !== "" && { focus }), replaces: compaction.id });
  }

  return <RedoForm initialFocus={compaction.focus ?? ""} onRedo={start} onCancel={onClose} />;
}
