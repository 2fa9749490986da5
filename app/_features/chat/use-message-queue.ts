"use client";

import { useCallback, useEffect, useState } from "react";
import { readStored, writeStored } from "@/app/_ui/stored-json";
import { type MessageQueue, nextQueue, type QueueEvent } from "./message-queue";

/** The messages of a session that wait for the answer in progress; they survive a reload. */
export function useMessageQueue(sessionId: string): [MessageQueue, (event: QueueEvent) => void] {
  const key = `grove:queue:${sessionId}`;
  const [queue, setQueue] = useState<MessageQueue>([]);
  // Read after hydration: the server does not know what this browser keeps.
  useEffect(() => setQueue(readStored<MessageQueue>(key) ?? []), [key]);
  const dispatch = useCallback(
    (event: QueueEvent) => {
      const next = nextQueue(readStored<MessageQueue>(key) ?? [], event);
      writeStored(key, next.length === 0 ? null : next);
      setQueue(next);
    },
    [key],
  );
  return [queue, dispatch];
}
