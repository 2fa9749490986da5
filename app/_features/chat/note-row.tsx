"use client";

import { CornerUpRight } from "lucide-react";
import { memo } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { useModelName } from "@/app/_data/models/use-models";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { Fold } from "@/app/_ui/fold";
import { formatCount } from "@/app/_ui/format-amount";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { useOnPaper } from "@/app/_ui/on-paper";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { EntryWire, GroveMessage, NoteWire } from "@/lib/chat/wire/messages";
import { MessageActions } from "./message-actions";
import { MessageBookmark, MessageFrame, type MessageFrameProps } from "./message-frame";

interface AsideRowProps {
  readonly entry: EntryWire;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
}

export interface NoteRowProps extends AsideRowProps {
  readonly note: NoteWire;
}

export const NoteRow = memo(function NoteRow({ note, ...row }: NoteRowProps) {
  const { showMessage } = useTranscriptActions();
  const nameOf = useModelName();
  return (
    <AsideFrame author="Note" {...row}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        <span className="flex items-center gap-1.5 font-medium">
          <CornerUpRight aria-hidden className="size-3.5" />
          Carried over from another branch
        </span>
        <span>{sourceWords(note, nameOf)}</span>
        <button
          type="button"
          onClick={() => showMessage(note.from)}
          className="rounded-xs text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent print:hidden"
        >
          Show that branch
        </button>
      </p>
      <section
        aria-label="Carried-over context"
        {...scrollable}
        className="mt-2 max-h-96 overflow-y-auto"
      >
        <Markdown text={heldText(row.entry.message)} />
      </section>
    </AsideFrame>
  );
});

function sourceWords({ kind, model }: NoteWire, nameOf: (model: string) => string): string {
  if (kind === "messages") return "verbatim";
  return model ? nameOf(model) : "your summary";
}

function heldText({ parts }: GroveMessage): string {
  return parts
    .slice(1)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n");
}

/** Programs send pages of them, below which their question would be lost. */
const longInstructions = 1_000;

export const InstructionRow = memo(function InstructionRow(row: AsideRowProps) {
  const { message } = row.entry;
  const text = messageText(message);
  const isShort = text.length <= longInstructions;
  const [isOpen, setIsOpen] = useKeptState(`instructions/${message.id}`, isShort);
  const isOnPaper = useOnPaper();
  return (
    <AsideFrame author="Instructions" {...row}>
      <Fold
        isOpen={isOpen || isOnPaper}
        onToggle={(next) => !isOnPaper && setIsOpen(next)}
        summary={
          <span className="font-medium text-xs">
            Instructions for the answers below
            {!isShort && ` · ${formatCount(text.length)} characters`}
          </span>
        }
      >
        <section
          aria-label="Instructions"
          {...scrollable}
          className="mt-2 max-h-96 overflow-y-auto whitespace-pre-wrap text-sm"
        >
          {text}
        </section>
      </Fold>
    </AsideFrame>
  );
});

type AsideFrameProps = AsideRowProps & Pick<MessageFrameProps, "author" | "children">;

function AsideFrame({ author, entry, isLast, isFlashing, children }: AsideFrameProps) {
  return (
    <MessageFrame author={author} at={entry.createdAt} isFlashing={isFlashing}>
      <div className="rounded-lg border border-edge border-dashed bg-sunken px-4 py-3">
        {children}
      </div>
      <MessageBookmark entry={entry} />
      <MessageActions entry={entry} isLast={isLast} />
    </MessageFrame>
  );
}
