import { type ChatTransport, DefaultChatTransport } from "ai";
import { pause } from "@/app/_ui/pause";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { backoffMs } from "./backoff";
import { followRun } from "./follow-run";
import type { WrittenRun } from "./run-chats";

/**
 * Connects one `Chat` to one run, read-only. Questions go through the outbox and the server starts the run, so that
 * the same code shows an answer requested here, in another tab or before a reload.
 */
export function createGroveTransport(
  run: WrittenRun,
  onReconnecting: (reconnecting: boolean) => void,
): ChatTransport<GroveMessage> {
  return {
    resumeStreamIsReplay: true,
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
    prepareReconnectToStreamRequest: () => ({ api: `${path}/stream?after=${after}` }),
  });
}

function nullIfGone(error: unknown): null {
  if (error instanceof Error && "statusCode" in error && error.statusCode === 404) return null;
  throw error;
}
