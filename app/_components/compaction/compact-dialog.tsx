"use client";

import { useState } from "react";
import { ListSkeleton } from "@/app/_components/drawer/list-skeleton";
import { Button } from "@/app/_components/ui/button";
import { Dialog } from "@/app/_components/ui/dialog";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useCompactionPreview } from "@/app/_hooks/api/use-compactions";
import { useCompacting } from "@/app/_hooks/drawer/use-compacting";
import { useIsMounted } from "@/app/_hooks/drawer/use-is-mounted";
import { FocusField } from "./focus-field";
import { PreviewWords } from "./preview-words";
import { WritingNote } from "./writing-note";

export interface CompactDialogProps {
  sessionId: string;
  leafId: string | null;
  open: boolean;
  onClose: () => void;
  /** What the summary should keep, as typed after `/compact`. */
  initialFocus?: string;
}

/**
 * Before compacting by hand: what will fold and what stays, and what the summary should look after. It may be closed
 * while the summary is written; how it went is said in a toast then.
 */
export function CompactDialog(props: CompactDialogProps) {
  return props.open ? <OpenCompactDialog {...props} /> : null;
}

function OpenCompactDialog({ sessionId, leafId, onClose, initialFocus = "" }: CompactDialogProps) {
  const [focus, setFocus] = useState(initialFocus);
  const preview = useCompactionPreview(sessionId, leafId, { enabled: true });
  const { start, ...work } = useStart({ sessionId, leafId, onClose });
  const canCompact = Boolean(preview.data?.range) && !work.nothingToFold;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Compact this conversation"
      description="Older messages fold into a summary for the model. You can still read every one of them, and undo it at any time."
      width="sm"
      footer={
        <>
          <Button onClick={onClose}>{work.isCompacting ? "Close and go on" : "Cancel"}</Button>
          <Button
            variant="primary"
            disabled={!canCompact}
            busy={work.isCompacting}
            onClick={() => start(focus)}
          >
            Compact
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {preview.isPending && <ListSkeleton label="Reading what would fold" rows={3} />}
        {preview.isError && (
          <ErrorNotice onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
            {errorSentence(preview.error)}
          </ErrorNotice>
        )}
        {preview.data && <PreviewWords sessionId={sessionId} preview={preview.data} />}
        {canCompact && (
          <FocusField value={focus} onChange={setFocus} disabled={work.isCompacting} />
        )}
        {work.isCompacting && <WritingNote since={work.startedAt} />}
        {work.error && (
          <ErrorNotice>
            {errorSentence(work.error)}
            {!work.nothingToFold && " Nothing was changed."}
          </ErrorNotice>
        )}
      </div>
    </Dialog>
  );
}

/** Compacts and closes; a failure that nobody is left to see is said in a toast. */
function useStart({
  sessionId,
  leafId,
  onClose,
}: Pick<CompactDialogProps, "sessionId" | "leafId" | "onClose">) {
  const { compact, ...work } = useCompacting(sessionId, leafId);
  const isMounted = useIsMounted();

  async function run(focus: string) {
    try {
      await compact(focus);
      if (isMounted()) onClose();
    } catch (error) {
      if (!isMounted()) toastError(`${errorSentence(error)} Nothing was compacted.`);
    }
  }

  return { ...work, start: (focus: string) => void run(focus) };
}
