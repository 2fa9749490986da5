"use client";

import { useChat } from "@ai-sdk/react";
import { useEffect, useEffectEvent, useState } from "react";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { holdRunChat, type WrittenRun } from "./run-chats";

/** Fast enough to look like writing, slow enough to leave time for typing. */
const throttleMs = 90;

export interface RunReaderProps {
  readonly run: WrittenRun;
  readonly onMessage: (message: GroveMessage) => void;
  readonly onEnd: () => void;
}

/** Shows only connection problems. */
export function RunReader({ run, onMessage, onEnd }: RunReaderProps) {
  const [reader] = useState(() => holdRunChat(run));
  const { messages } = useChat<GroveMessage>({ chat: reader.chat, throttle: throttleMs });
  const [isReconnecting, setIsReconnecting] = useState(false);

  const message = messages.at(-1);
  const hand = useEffectEvent(onMessage);
  useEffect(() => {
    if (message) hand(message);
  }, [message]);

  const end = useEffectEvent(onEnd);
  useEffect(() => reader.retain({ onConnection: setIsReconnecting, onEnd: () => end() }), [reader]);

  if (!isReconnecting) return null;
  return (
    <p role="status" className="py-1 text-muted text-sm">
      Connection lost. Reconnecting…
    </p>
  );
}
