"use client";

import { CircleAlert, Clock } from "lucide-react";
import { memo } from "react";
import { Button } from "@/app/_ui/button";
import { useTranscriptActions } from "./chat-session-context";
import { MessageFrame, WritingMark } from "./message-frame";
import type { Outgoing } from "./outbox";
import { QuestionNote } from "./question-note";

export const OutgoingRow = memo(function OutgoingRow({ outgoing }: { outgoing: Outgoing }) {
  const { state } = outgoing;
  const isWaiting = state.kind === "pending" && state.attempts > 1;
  return (
    <MessageFrame author="You" at={outgoing.createdAt} isFlashing={false} isBusy>
      <QuestionNote text={outgoing.text} stateKey={`${outgoing.sessionId}/${outgoing.id}`} />
      <div className="flex min-h-8 items-center justify-end gap-2 text-muted text-sm">
        {isWaiting && <Waiting outgoing={outgoing} />}
        {state.kind === "failed" && <Refused outgoing={outgoing} reason={state.reason} />}
      </div>
      {state.kind === "pending" && outgoing.generate && !isWaiting && (
        <div className="mt-1 -ml-1.5 flex min-h-8 items-center">
          <WritingMark />
        </div>
      )}
    </MessageFrame>
  );
});

function Waiting({ outgoing }: { outgoing: Outgoing }) {
  const { editUnsent } = useTranscriptActions();
  return (
    <>
      <p role="status" className="flex items-center gap-1.5">
        <Clock aria-hidden className="size-3.5" />
        Can't reach Grove. Will send when you're back online.
      </p>
      <Button size="sm" variant="ghost" onClick={() => editUnsent(outgoing.id)}>
        Edit
      </Button>
    </>
  );
}

function Refused({ outgoing, reason }: { outgoing: Outgoing; reason: string }) {
  const { retrySending, takeBack, editUnsent } = useTranscriptActions();
  return (
    <div role="alert" className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
      <p className="flex items-center gap-1.5 text-danger">
        <CircleAlert aria-hidden className="size-3.5 shrink-0" />
        Not sent. {reason}
      </p>
      <Button size="sm" onClick={() => retrySending(outgoing.id)}>
        Retry
      </Button>
      <Button size="sm" variant="ghost" onClick={() => editUnsent(outgoing.id)}>
        Edit
      </Button>
      <Button size="sm" variant="ghost" onClick={() => takeBack(outgoing)}>
        Discard
      </Button>
    </div>
  );
}
