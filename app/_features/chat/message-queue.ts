"use client";

import { useCallback } from "react";
import { createStore, createStores, useStore } from "@/app/_ui/store";

/** Keeps its ids when sent. */
export interface QueuedMessage {
  readonly id: string;
  readonly answerId: string;
  readonly text: string;
}

export type MessageQueue = readonly QueuedMessage[];

export type QueueEvent =
  | { readonly type: "added"; readonly message: QueuedMessage }
  | { readonly type: "changed"; readonly id: string; readonly text: string }
  | { readonly type: "removed"; readonly id: string };

/** An edit to empty text removes the message. */
export function nextQueue(queue: MessageQueue, event: QueueEvent): MessageQueue {
  switch (event.type) {
    case "added":
      return [...queue, event.message];
    case "changed":
      return event.text.trim() === ""
        ? queue.filter(({ id }) => id !== event.id)
        : queue.map((message) =>
            message.id === event.id ? { ...message, text: event.text } : message,
          );
    case "removed":
      return queue.filter(({ id }) => id !== event.id);
  }
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
