import { Chat } from "@ai-sdk/react";
import type { GroveMessage, RunWire } from "@/lib/chat/wire/messages";
import { createGroveTransport } from "./grove-transport";

export interface RunListener {
  readonly onConnection: (isReconnecting: boolean) => void;
  /** The stream has ended, whichever way. */
  readonly onEnd: () => void;
}

/** An answer or a summary that is being written. */
export type WrittenRun = Pick<RunWire, "id" | "sessionId">;

/** The one reader of a run in this tab. */
export interface RunChat {
  readonly chat: Chat<GroveMessage>;
  /** Reads while at least one listener is there; returns how to let go. */
  readonly retain: (listener: RunListener) => () => void;
}

/** Strict mode and a line that moved let go and take hold again at once. */
const releaseAfterMs = 1_000;

const readers = new Map<string, RunChat>();

/**
 * The reader of `run`. A line of a windowed list comes and goes as the reader scrolls, so what it has read must not
 * live in the line.
 */
export function holdRunChat(run: WrittenRun): RunChat {
  const reader = readers.get(run.id) ?? createReader(run);
  readers.set(run.id, reader);
  return reader;
}

function createReader(run: WrittenRun): RunChat {
  const listeners = new Set<RunListener>();
  let state: "idle" | "reading" | "ended" = "idle";
  const chat = new Chat<GroveMessage>({
    id: run.id,
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
    if (listeners.size > 0 || readers.get(run.id)?.chat !== chat) return;
    readers.delete(run.id);
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
