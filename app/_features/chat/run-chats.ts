import { Chat } from "@ai-sdk/react";
import type { GroveMessage, RunWire } from "@/lib/chat/wire/messages";
import { createGroveTransport } from "./grove-transport";

export interface RunListener {
  readonly onConnection: (isReconnecting: boolean) => void;
  /** The stream has ended, successfully or not. */
  readonly onEnd: () => void;
}

/** A running answer or summary. */
export type WrittenRun = Pick<RunWire, "id" | "sessionId">;

/** The tab's only reader of a run. */
export interface RunChat {
  readonly chat: Chat<GroveMessage>;
  /** Reads while it has listeners; returns a function that releases it. */
  readonly retain: (listener: RunListener) => () => void;
}

/** Strict mode and moved rows release and retain again at once. */
const releaseAfterMs = 1_000;

const readers = new Map<string, RunChat>();

/** The reader of `run`, kept outside rows, which a windowed list unmounts. */
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
