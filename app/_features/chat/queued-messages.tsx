"use client";

import { Clock3, Pencil, Send, X } from "lucide-react";
import type { QueuedMessage } from "@/app/_data/chat/outbox";
import { IconButton } from "@/app/_ui/button";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { indexAfter, type LoadedTranscript } from "./transcript-window";

export interface QueuedMessagesProps {
  readonly queue: readonly QueuedMessage[];
  readonly onEdit: (message: QueuedMessage) => void;
  readonly onRemove: (message: QueuedMessage) => void;
  readonly onSendNow: ((message: QueuedMessage) => void) | null;
}

function queuedWords({ text, files = [] }: QueuedMessage): string {
  return [...files.map(({ name }) => name), text].filter((each) => each.trim() !== "").join(" · ");
}

export function QueuedMessages({ queue, onEdit, onRemove, onSendNow }: QueuedMessagesProps) {
  if (queue.length === 0) return null;
  return (
    <ul aria-label="Queued messages" className="mb-2 flex flex-col gap-1.5">
      {queue.map((message) => (
        <li
          key={message.id}
          className="flex items-center gap-2 rounded-lg border border-line border-dashed bg-paper py-1 pr-1 pl-3 text-muted text-sm"
        >
          <Clock3 aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="min-w-0 flex-1 truncate">{queuedWords(message)}</span>
          {onSendNow && isFirstInQueue(queue, message) && (
            <IconButton label="Send now" size="xs" tooltip="top" onClick={() => onSendNow(message)}>
              <Send aria-hidden />
            </IconButton>
          )}
          <IconButton label="Edit" size="xs" tooltip="top" onClick={() => onEdit(message)}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton label="Remove" size="xs" tooltip="top" onClick={() => onRemove(message)}>
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

export function isFirstInQueue(queue: readonly QueuedMessage[], { state }: QueuedMessage): boolean {
  return queue.every(({ answerId }) => answerId !== state.after);
}

/** A failed or stopped answer leaves sending to the person. */
export function nextToSend(
  queue: readonly QueuedMessage[],
  window: LoadedTranscript,
): QueuedMessage | null {
  if (window.hasNewer || endedEarly(window)) return null;
  return queue.find(({ state }) => indexAfter(window, state.after) !== null) ?? null;
}

export function answerToRetry({ entries }: LoadedTranscript, parentId: string): string | null {
  const index = entries.findIndex(({ message }) => message.id === parentId);
  const answer = entries[index + 1];
  return index !== -1 && answer && hasEndedEarly(answer) ? answer.message.id : null;
}

function endedEarly({ entries }: LoadedTranscript): boolean {
  const last = entries.at(-1);
  return last !== undefined && hasEndedEarly(last);
}

function hasEndedEarly({ message }: EntryWire): boolean {
  const status = message.metadata?.status;
  return status === "failed" || status === "interrupted" || status === "stopped";
}
