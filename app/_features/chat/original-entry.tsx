"use client";

import { NoteRow } from "@/app/_features/tree/notes/note-row";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { AnswerRow } from "./answer-row";
import { QuestionRow } from "./question-row";

/** A message covered by a summary, shown below it. */
export function OriginalEntry({ entry }: { entry: EntryWire }) {
  const note = entry.message.metadata?.note;
  if (note) return <NoteRow entry={entry} note={note} isLast={false} isFlashing={false} />;
  if (entry.message.role === "user") {
    return (
      <QuestionRow
        entry={entry}
        isEditing={false}
        isUnanswered={false}
        isLast={false}
        isFlashing={false}
      />
    );
  }
  return (
    <AnswerRow
      entry={entry}
      run={null}
      runSiblings={null}
      awaited={null}
      isLast={false}
      isFlashing={false}
    />
  );
}
