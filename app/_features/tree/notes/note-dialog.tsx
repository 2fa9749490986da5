"use client";

import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { ListSkeleton } from "@/app/_ui/list-skeleton";
import { Segmented } from "@/app/_ui/segmented";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { PickedMessages } from "./picked-messages";
import { SummaryDraft } from "./summary-draft";
import { type NotePlaces, useNoteSource, useStoreNote } from "./use-notes";

export interface NoteDialogProps extends NotePlaces {
  readonly sessionId: string;
  readonly onStored: (entry: EntryWire) => void;
  readonly onClose: () => void;
}

/** Carries a summary, which may be edited first, or whole messages over from a branch that was left. */
export function NoteDialog({ sessionId, from, to, onStored, onClose }: NoteDialogProps) {
  const source = useNoteSource(sessionId, { from, to });
  const storing = useStoreNote(sessionId);
  // Made once, so that pressing the button again after a lost reply finds the same note.
  const [id] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<"summary" | "messages">("summary");
  const [summary, setSummary] = useState<{ text: string; model: string | null }>({
    text: "",
    model: null,
  });
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const messages = source.data?.messages ?? [];
  const isReady = kind === "summary" ? summary.text.trim() !== "" : picked.size > 0;

  function store() {
    const place = { id, parentId: to, from };
    const { text, model } = summary;
    storing.mutate(
      kind === "summary"
        ? { ...place, kind, text, ...(model !== null && { model }) }
        : { ...place, kind, messageIds: [...picked] },
      {
        onSuccess: (entry) => {
          onStored(entry);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Carry context over"
      description="Adds a note from the branch you left. The model reads it here, and that branch doesn't change."
      width="md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={store}
            disabled={!isReady || messages.length === 0}
            busy={storing.isPending}
          >
            Add note
          </Button>
        </>
      }
    >
      {source.isPending && <ListSkeleton label="Loading the branch" rows={4} />}
      {source.isError && (
        <ErrorNotice onRetry={() => void source.refetch()} retrying={source.isFetching}>
          {errorSentence(source.error)}
        </ErrorNotice>
      )}
      {source.data && messages.length === 0 && (
        <p className="text-muted text-sm">
          Nothing to carry over. Everything is already on this branch.
        </p>
      )}
      {messages.length > 0 && (
        <div className="flex flex-col gap-4">
          <Segmented
            label="What to carry over"
            value={kind}
            onChange={setKind}
            options={[
              { value: "summary", label: "A summary" },
              { value: "messages", label: "Messages" },
            ]}
          />
          {kind === "summary" ? (
            <SummaryDraft
              sessionId={sessionId}
              places={{ from, to }}
              messageCount={messages.length}
              text={summary.text}
              onChange={setSummary}
            />
          ) : (
            <PickedMessages messages={messages} picked={picked} onChange={setPicked} />
          )}
          {storing.isError && <ErrorNotice>{errorSentence(storing.error)}</ErrorNotice>}
        </div>
      )}
    </Dialog>
  );
}
