"use client";

import { CircleAlert } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { MessageFrame } from "./message-frame";
import type { Outgoing } from "./outbox";
import { QuestionNote } from "./question-note";
import { WritingMark } from "./writing-mark";

export interface UnsentBeginningProps {
  readonly outgoing: Outgoing;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onDiscard: () => void;
}

/** The first message of a session until the server has it, at the place where it will stand. */
export function UnsentBeginning({ outgoing, onRetry, onEdit, onDiscard }: UnsentBeginningProps) {
  const { state } = outgoing;
  const isWaiting = state.kind === "pending" && state.attempts > 1;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-column px-5 pt-12">
        <MessageFrame author="You" at={outgoing.createdAt} isFlashing={false} isBusy>
          <QuestionNote text={outgoing.text} stateKey={`unsent/${outgoing.id}`} />
          <div className="flex min-h-8 flex-wrap items-center justify-end gap-2 text-muted text-sm">
            {isWaiting && (
              <p role="status">Can't reach Grove. Will send when you're back online.</p>
            )}
            {state.kind === "failed" && (
              <p role="alert" className="flex items-center gap-1.5 text-danger">
                <CircleAlert aria-hidden className="size-3.5 shrink-0" />
                Not sent. {state.reason}
              </p>
            )}
            {state.kind === "failed" && (
              <Button size="sm" onClick={onRetry}>
                Retry
              </Button>
            )}
            {(isWaiting || state.kind === "failed") && (
              <>
                <Button size="sm" variant="ghost" onClick={onEdit}>
                  Edit
                </Button>
                <Button size="sm" variant="ghost" onClick={onDiscard}>
                  Discard
                </Button>
              </>
            )}
          </div>
          {state.kind === "pending" && !isWaiting && (
            <div className="-ml-1.5 flex min-h-8 items-center pt-2">
              <WritingMark />
            </div>
          )}
        </MessageFrame>
      </div>
    </div>
  );
}
