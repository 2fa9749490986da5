"use client";

import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { ListSkeleton } from "@/app/_ui/list-skeleton";
import { FocusField } from "./focus-field";
import { PreviewWords } from "./preview-words";
import { useCompacting } from "./use-compacting";
import { useCompactionPreview } from "./use-compactions";

export interface CompactDialogProps {
  sessionId: string;
  leafId: string | null;
  open: boolean;
  onClose: () => void;
  /** What the summary should keep, as typed after `/compact`. */
  initialFocus?: string;
}

/**
 * Before compacting by hand: what will fold and what stays, and what the summary should look after. The summary is then
 * watched where it will stand.
 */
export function CompactDialog(props: CompactDialogProps) {
  return props.open ? <OpenCompactDialog {...props} /> : null;
}

function OpenCompactDialog(props: CompactDialogProps) {
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
      open
      onOpenChange={(open) => !open && onClose()}
      title="Compact this chat"
      description="The model gets a summary in place of older messages. You can still read them all, and undo it at any time."
      width="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!canCompact} onClick={start}>
            Compact
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {preview.isPending && <ListSkeleton label="Loading preview" rows={3} />}
        {preview.isError && (
          <ErrorNotice onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
            {errorSentence(preview.error)}
          </ErrorNotice>
        )}
        {preview.data && <PreviewWords sessionId={sessionId} preview={preview.data} />}
        {canCompact && <FocusField value={focus} onChange={setFocus} />}
        {isWriting && (
          <p className="text-muted text-sm">A summary of this chat is being written.</p>
        )}
      </div>
    </Dialog>
  );
}
