"use client";

import { memo } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { MessageActions } from "./message-actions";
import { MessageFrame, MessageMarks } from "./message-frame";

export interface InstructionRowProps {
  readonly entry: EntryWire;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
}

/** A system message, as of a program. */
export const InstructionRow = memo(function InstructionRow(props: InstructionRowProps) {
  const { entry, isLast, isFlashing } = props;
  return (
    <MessageFrame author="Instructions" at={entry.createdAt} isFlashing={isFlashing}>
      <div className="rounded-lg border border-edge border-dashed bg-sunken px-4 py-3">
        <p className="font-medium text-muted text-xs">Instructions for the answers below</p>
        <section
          aria-label="Instructions"
          {...scrollable}
          className="mt-2 max-h-96 overflow-y-auto whitespace-pre-wrap text-sm"
        >
          {messageText(entry.message)}
        </section>
      </div>
      <MessageMarks entry={entry} />
      <MessageActions entry={entry} isLast={isLast} />
    </MessageFrame>
  );
});
