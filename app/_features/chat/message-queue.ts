"use client";

import { useCallback } from "react";
import { createStore, createStores, useStore } from "@/app/_ui/store";
import type { AttachedFile } from "@/lib/chat/wire/files";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { indexAfter, type TranscriptWindow } from "./transcript-window";

/** Keeps its ids when sent. */
export interface QueuedMessage {
  readonly id: string;
  readonly answerId: string;
  readonly text: string;
  readonly files?: readonly AttachedFile[];
  /** The answer it waits for. It is sent automatically only on a path with this answer. */
  readonly after: string;
}

export type MessageQueue = readonly QueuedMessage[];

export type QueueEvent =
  | { readonly type: "added"; readonly message: QueuedMessage }
  | { readonly type: "sent"; readonly id: string }
  /** Another answer is tried in place of one that failed or was stopped. */
  | { readonly type: "retried"; readonly answerId: string; readonly by: string }
  | { readonly type: "removed"; readonly id: string };

/** Messages behind a removed one wait for what it waited for. */
export function nextQueue(queue: MessageQueue, event: QueueEvent): MessageQueue {
  if (event.type === "added") {
    const after = lastAnswer(queue, event.message.after);
    return [...queue, { ...event.message, after }];
  }
  if (event.type === "retried") {
    return queue.map((message) =>
      message.after === event.answerId ? { ...message, after: event.by } : message,
    );
  }
  const others = queue.filter(({ id }) => id !== event.id);
  const gone = queue.find(({ id }) => id === event.id);
  if (!gone || event.type === "sent") return others;
  return others.map((message) =>
    message.after === gone.answerId ? { ...message, after: gone.after } : message,
  );
}

/** The answer to the last queued message that is to follow `after`. */
function lastAnswer(queue: MessageQueue, after: string): string {
  return queue.reduce((last, message) => (message.after === last ? message.answerId : last), after);
}

/** Waits for no other queued message. */
export function isFirstInQueue(queue: MessageQueue, { after }: QueuedMessage): boolean {
  return queue.every(({ answerId }) => answerId !== after);
}

/** The message to send automatically at the end of `window`. After a failed or stopped answer the person sends it. */
export function nextToSend(queue: MessageQueue, window: TranscriptWindow): QueuedMessage | null {
  if (window.hasNewer || endedEarly(window)) return null;
  return queue.find(({ after }) => indexAfter(window, after) !== null) ?? null;
}

/** The failed or stopped answer that a retry from a question, or from that answer, stands in for; `null` for none. */
export function answerToRetry({ entries }: TranscriptWindow, parentId: string): string | null {
  const index = entries.findIndex(({ message }) => message.id === parentId);
  const answer = entries[index + 1];
  return index !== -1 && answer && hasEndedEarly(answer) ? answer.message.id : null;
}

function endedEarly({ entries }: TranscriptWindow): boolean {
  const last = entries.at(-1);
  return last !== undefined && hasEndedEarly(last);
}

function hasEndedEarly({ message }: EntryWire): boolean {
  const status = message.metadata?.status;
  return status === "failed" || status === "interrupted" || status === "stopped";
}

const queueOf = createStores((sessionId) =>
  createStore<MessageQueue>([], {
    name: `queue:${sessionId}`,
    parse: (stored) => (Array.isArray(stored) ? (stored as MessageQueue) : null),
    serialize: (queue) => (queue.length === 0 ? null : queue),
  }),
);

/** The queue survives a reload. */
export function useMessageQueue(sessionId: string): [MessageQueue, (event: QueueEvent) => void] {
  const queue = useStore(queueOf(sessionId));
  const dispatch = useCallback(
    (event: QueueEvent) => queueOf(sessionId).update((present) => nextQueue(present, event)),
    [sessionId],
  );
  return [queue, dispatch];
}
