"use client";

import { toastDone, toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useIsMounted } from "@/app/_hooks/drawer/use-is-mounted";
import { useRedoCompaction } from "@/app/_hooks/drawer/use-redo-compaction";
import type { CompactionWire } from "@/lib/chat/wire";
import { RedoForm } from "./redo-form";

export interface RedoPanelProps {
  sessionId: string;
  leafId: string;
  compaction: CompactionWire;
  onClose: () => void;
  onChanged: () => void;
}

/** Has a summary written anew. */
export function RedoPanel({ sessionId, leafId, compaction, onClose, onChanged }: RedoPanelProps) {
  const redo = useRedoCompaction(sessionId);
  const isMounted = useIsMounted();

  // The old summary goes first, and this seam with it; what follows is said in toasts.
  async function start(focus: string) {
    toastDone("Writing a new summary. Until it is there, the messages show in full.");
    try {
      await redo.mutateAsync({ compactionId: compaction.id, leafId, focus });
    } catch (error) {
      if (!isMounted()) toastError(`${errorSentence(error)} The old summary is back.`);
    }
    onChanged();
  }

  return (
    <RedoForm
      initialFocus={compaction.focus ?? ""}
      runningSince={redo.isPending ? redo.submittedAt : null}
      error={redo.error}
      onRedo={(focus) => void start(focus)}
      onCancel={onClose}
    />
  );
}
