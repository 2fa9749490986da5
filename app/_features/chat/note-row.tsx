"use client";

import { CornerUpRight } from "lucide-react";
import { memo } from "react";
import { useModelName } from "@/app/_data/models/use-models";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import type { EntryWire, GroveMessage, NoteWire } from "@/lib/chat/wire/messages";
import { MessageActions } from "./message-actions";
import { MessageFrame, MessageMarks } from "./message-frame";

export interface NoteRowProps {
  readonly entry: EntryWire;
  readonly note: NoteWire;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
}

/** A note can be deleted like a message. */
export const NoteRow = memo(function NoteRow({ entry, note, isLast, isFlashing }: NoteRowProps) {
  const { showMessage } = useTranscriptActions();
  const nameOf = useModelName();
  return (
    <MessageFrame author="Note" at={entry.createdAt} isFlashing={isFlashing}>
      <div className="rounded-lg border border-edge border-dashed bg-sunken px-4 py-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
          <span className="flex items-center gap-1.5 font-medium">
            <CornerUpRight aria-hidden className="size-3.5" />
            Carried over from another branch
          </span>
          <span>{sourceWords(note, nameOf)}</span>
          <button
            type="button"
            onClick={() => showMessage(note.from)}
            className="rounded-xs text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
          >
            Show that branch
          </button>
        </p>
        <section
          aria-label="Carried-over context"
          {...scrollable}
          className="mt-2 max-h-96 overflow-y-auto"
        >
          <Markdown text={heldText(entry.message)} />
        </section>
      </div>
      <MessageMarks entry={entry} />
      <MessageActions entry={entry} isLast={isLast} />
    </MessageFrame>
  );
});

function sourceWords({ kind, model }: NoteWire, nameOf: (model: string) => string): string {
  if (kind === "messages") return "verbatim";
  return model ? nameOf(model) : "your summary";
}

/** The first part introduces the note to the model. */
function heldText({ parts }: GroveMessage): string {
  return parts
    .slice(1)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n");
}
