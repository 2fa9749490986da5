"use client";

import { Clock3, Pencil, Send, X } from "lucide-react";
import { IconButton } from "@/app/_ui/button";
import { isFirstInQueue, type MessageQueue, type QueuedMessage } from "./message-queue";

export interface QueuedMessagesProps {
  readonly queue: MessageQueue;
  readonly onEdit: (message: QueuedMessage) => void;
  readonly onRemove: (message: QueuedMessage) => void;
  /** Present when no answer is running, so that queued messages must be sent manually. */
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
