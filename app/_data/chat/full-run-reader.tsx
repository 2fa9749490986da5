"use client";

import { Chat, useChat } from "@ai-sdk/react";
import type { ChatTransport } from "ai";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { meantMessage } from "@/lib/chat/wire/meant-parts";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { keyOf, type ReadRun, type RunReading } from "./run-reading";

const throttleMs = 90;

export interface FullRunReaderProps {
  readonly run: ReadRun;
  readonly before: GroveMessage | null;
  readonly reading: RunReading;
  readonly onMessage: (message: GroveMessage) => void;
}

export function FullRunReader({ run, before, reading, onMessage }: FullRunReaderProps) {
  const [chat] = useState(
    () =>
      new Chat<GroveMessage>({
        id: keyOf(run),
        ...(run.part > 0 && before && { messages: [before] }),
        transport: replaying(reading, { isReplay: run.part === 0 }),
      }),
  );
  const { messages } = useChat<GroveMessage>({ chat, throttle: throttleMs });

  useEffect(() => {
    void chat.resumeStream();
    return () => void chat.stop();
  }, [chat]);

  const last = messages.at(-1);
  const message = useMemo(() => last && meantMessage(last), [last]);
  const hand = useEffectEvent(onMessage);
  useEffect(() => {
    if (message && hasCaughtUp(message, reading.state.read().message)) hand(message);
  }, [message, reading]);

  return null;
}

function hasCaughtUp({ parts }: GroveMessage, shown: GroveMessage | null): boolean {
  return shown === null || parts.length > shown.parts.length || isAsLong(parts, shown.parts);
}

function isAsLong(parts: GroveMessage["parts"], shown: GroveMessage["parts"]): boolean {
  return (
    parts.length === shown.length && JSON.stringify(parts).length >= JSON.stringify(shown).length
  );
}

function replaying(
  { replay }: RunReading,
  { isReplay }: { readonly isReplay: boolean },
): ChatTransport<GroveMessage> {
  return {
    resumeStreamIsReplay: isReplay,
    sendMessages: () => Promise.reject(new Error("Grove sends messages through its outbox.")),
    reconnectToStream: async () => replay(),
  };
}
