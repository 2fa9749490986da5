"use client";

import { Chat, useChat } from "@ai-sdk/react";
import { type ChatTransport, DefaultChatTransport } from "ai";
import { useEffect, useEffectEvent, useState } from "react";
import type { GroveMessage, RunWire } from "@/lib/chat/wire/messages";
import { backoffMs, pause } from "./backoff";
import { followRun } from "./follow-run";

/** Fast enough to look like writing, slow enough to leave time for typing. */
const throttleMs = 90;

export interface RunReaderProps {
  readonly run: WrittenRun;
  /** Up to the pause after which it goes on. */
  readonly before: GroveMessage | null;
  readonly onMessage: (message: GroveMessage) => void;
  readonly onEnd: () => void;
}

/** Shows only connection problems. */
export function RunReader({ run, before, onMessage, onEnd }: RunReaderProps) {
  const [reader] = useState(() => holdRunChat(run, before));
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

interface RunListener {
  readonly onConnection: (isReconnecting: boolean) => void;
  readonly onEnd: () => void;
}

type WrittenRun = Pick<RunWire, "id" | "sessionId" | "part">;

interface RunChat {
  readonly chat: Chat<GroveMessage>;
  /** Reads until the returned function releases it. */
  readonly retain: (listener: RunListener) => () => void;
}

/** Strict mode and moved rows release and retain again at once. */
const releaseAfterMs = 1_000;

const readers = new Map<string, RunChat>();

/** Kept outside rows, which a windowed list unmounts. */
function holdRunChat(run: WrittenRun, before: GroveMessage | null): RunChat {
  const reader = readers.get(keyOf(run)) ?? createReader(run, before);
  readers.set(keyOf(run), reader);
  return reader;
}

function keyOf({ id, part }: WrittenRun): string {
  return `${id} ${part}`;
}

function createReader(run: WrittenRun, before: GroveMessage | null): RunChat {
  const listeners = new Set<RunListener>();
  let state: "idle" | "reading" | "ended" = "idle";
  const chat = new Chat<GroveMessage>({
    id: keyOf(run),
    ...(run.part > 0 && before && { messages: [before] }),
    transport: createGroveTransport(run, (isReconnecting) => {
      for (const listener of listeners) listener.onConnection(isReconnecting);
    }),
  });

  function end() {
    if (state === "ended") return;
    state = "ended";
    for (const listener of listeners) listener.onEnd();
  }

  function release() {
    if (listeners.size > 0 || readers.get(keyOf(run))?.chat !== chat) return;
    readers.delete(keyOf(run));
    void chat.stop();
  }

  return {
    chat,
    retain(listener) {
      listeners.add(listener);
      if (state === "idle") {
        state = "reading";
        void chat.resumeStream().then(end, end);
      } else if (state === "ended") listener.onEnd();
      return () => {
        listeners.delete(listener);
        setTimeout(release, releaseAfterMs);
      };
    },
  };
}

/**
 * Read-only: the server starts the run, so the same code shows an answer requested here, in another tab or before a
 * reload.
 */
function createGroveTransport(
  run: WrittenRun,
  onReconnecting: (reconnecting: boolean) => void,
): ChatTransport<GroveMessage> {
  return {
    resumeStreamIsReplay: run.part === 0,
    sendMessages: () => Promise.reject(new Error("Grove sends messages through its outbox.")),
    reconnectToStream: async ({ chatId, abortSignal }) => {
      const signal = abortSignal ?? new AbortController().signal;
      return followRun({
        open: (after) =>
          connection(run, after)
            .reconnectToStream({ chatId, abortSignal: signal })
            .catch(nullIfGone),
        pause: (attempt) => pause(backoffMs(attempt), signal),
        signal,
        onReconnecting,
      });
    },
  };
}

function connection(run: WrittenRun, after: number): DefaultChatTransport<GroveMessage> {
  const path = `/api/sessions/${encodeURIComponent(run.sessionId)}/runs/${encodeURIComponent(run.id)}`;
  return new DefaultChatTransport<GroveMessage>({
    prepareReconnectToStreamRequest: () => ({
      api: `${path}/stream?after=${after}&part=${run.part}`,
    }),
  });
}

function nullIfGone(error: unknown): null {
  if (error instanceof Error && "statusCode" in error && error.statusCode === 404) return null;
  throw error;
}
