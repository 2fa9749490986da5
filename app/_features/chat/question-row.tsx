"use client";

import { memo, useState } from "react";
import { Button } from "@/app/_ui/button";
import { toastError } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";
import { MessageActions } from "./message-actions";
import { MessageFrame } from "./message-frame";
import { MessageMarks } from "./message-marks";
import { messageText } from "./message-text";
import { QuestionEditor } from "./question-editor";
import { QuestionNote } from "./question-note";

export interface QuestionRowProps {
  readonly entry: EntryWire;
  readonly isEditing: boolean;
  /** Has no children, and no answer is being written. */
  readonly isUnanswered: boolean;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
}

export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { entry, isEditing, isUnanswered, isLast, isFlashing } = props;
  const { sessionId } = useTranscriptActions();
  return (
    <MessageFrame author="You" at={entry.createdAt} isFlashing={isFlashing}>
      {isEditing ? (
        <QuestionEditor entry={entry} />
      ) : (
        <>
          <QuestionNote
            text={messageText(entry.message)}
            stateKey={`${sessionId}/${entry.message.id}`}
          />
          <MessageMarks entry={entry} />
          <MessageActions entry={entry} isLast={isLast} />
          {isUnanswered && <AskForAnswer messageId={entry.message.id} />}
        </>
      )}
    </MessageFrame>
  );
});

/** An edit that was only saved, or a run that never began, has no answer. */
function AskForAnswer({ messageId }: { messageId: string }) {
  const { answer } = useTranscriptActions();
  const [isBusy, setIsBusy] = useState(false);
  async function ask() {
    setIsBusy(true);
    await answer(messageId).catch((error: unknown) => toastError(error));
    setIsBusy(false);
  }
  return (
    <div className="flex min-h-10 items-center gap-3 text-muted text-sm">
      <span>No answer yet.</span>
      <Button size="sm" onClick={() => void ask()} busy={isBusy}>
        Generate answer
      </Button>
    </div>
  );
}
