"use client";

import { useCallback } from "react";
import { createStore, createStores, useStore } from "@/app/_ui/store";
import { type MessageQueue, nextQueue, type QueueEvent } from "./message-queue";

const queueOf = createStores((sessionId) =>
  createStore<MessageQueue>([], {
    name: `queue:${sessionId}`,
    parse: (stored) => (Array.isArray(stored) ? (stored as MessageQueue) : null),
    serialize: (queue) => (queue.length === 0 ? null : queue),
  }),
);

/** Messages queued during an answer; they survive a reload. */
export function useMessageQueue(sessionId: string): [MessageQueue, (event: QueueEvent) => void] {
  const queue = useStore(queueOf(sessionId));
  const dispatch = useCallback(
    (event: QueueEvent) => queueOf(sessionId).update((present) => nextQueue(present, event)),
    [sessionId],
  );
  return [queue, dispatch];
}
