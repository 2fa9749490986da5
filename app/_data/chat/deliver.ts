import { answerError } from "@/app/_api/api-error";
import { apiPath } from "@/app/_api/api-path";
import { isAway } from "@/app/_api/page-person";
import { filePart } from "@/lib/chat/wire/files";
import type { SendRequest, SendResponse } from "@/lib/chat/wire/messages";
import type { Outgoing } from "./outbox";
import { type AnswerStream, readSent } from "./run-stream";

export type Delivery =
  | {
      readonly kind: "acknowledged";
      readonly response: SendResponse;
      readonly answer?: AnswerStream;
    }
  | { readonly kind: "refused"; readonly reason: string; readonly isMoved?: boolean }
  | { readonly kind: "away" };

export interface DeliverOptions {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly pause: (attempt: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onAttempt?: () => void;
  readonly space?: string | null;
}

/** Retries with the same ids until the server answers. Returns `null` when `signal` aborted first. */
export async function deliver(
  outgoing: Outgoing,
  options: DeliverOptions,
): Promise<Delivery | null> {
  for (let attempt = 1; !options.signal.aborted; attempt += 1) {
    options.onAttempt?.();
    const takesAnswer = attempt === 1 && Date.now() >= heldBack.until;
    const delivery = await attemptDelivery(outgoing, { ...options, takesAnswer });
    if (delivery) return delivery;
    await options.pause(attempt);
  }
  return null;
}

/**
 * Some proxies keep an answer until its end, so a message would seem unsent until then. The pause doubles each time.
 */
const firstPauseMs = 60_000;
const heldBack = { until: 0, pauseMs: firstPauseMs };
const heldBackMs = 5_000;

export function sendRequestOf(outgoing: Outgoing): SendRequest {
  return {
    id: outgoing.id,
    parts: partsOf(outgoing),
    generate: outgoing.generate,
    ...(outgoing.generate && { answerId: outgoing.answerId }),
    ...(outgoing.generate && outgoing.together && { together: [...outgoing.together] }),
    ...(outgoing.newSession && { newSession: newSessionOf(outgoing) }),
    ...(outgoing.assistant && { assistant: outgoing.assistant }),
    ...(outgoing.model !== undefined && { model: outgoing.model }),
    ...(outgoing.parentId === undefined
      ? !outgoing.newSession && { expectedLeaf: outgoing.expectedLeaf }
      : { parentId: outgoing.parentId }),
  };
}

function newSessionOf({ parameters, firstAssistant }: Outgoing): SendRequest["newSession"] {
  return {
    ...(parameters && { parameters }),
    ...(firstAssistant !== undefined && { assistant: firstAssistant }),
  };
}

/** Files come first: models read a question better after what it is about. */
function partsOf({ text, files = [] }: Outgoing): SendRequest["parts"] {
  const isFilesOnly = files.length > 0 && text.trim() === "";
  return [...files.map(filePart), ...(isFilesOnly ? [] : [{ type: "text", text }])];
}

async function attemptDelivery(
  outgoing: Outgoing,
  options: DeliverOptions & { readonly takesAnswer: boolean },
): Promise<Delivery | null> {
  const { fetch, signal, takesAnswer, space } = options;
  const leaving = new AbortController();
  const giveUp = () => {
    heldBack.until = Date.now() + heldBack.pauseMs;
    heldBack.pauseMs *= 2;
    leaving.abort();
  };
  const waiting = takesAnswer ? setTimeout(giveUp, heldBackMs) : undefined;
  try {
    const address = `/api/sessions/${encodeURIComponent(outgoing.sessionId)}/messages`;
    const response = await fetch(apiPath(address, space), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(takesAnswer && { accept: "text/event-stream, application/json" }),
      },
      body: JSON.stringify(sendRequestOf(outgoing)),
      signal: AbortSignal.any([signal, leaving.signal]),
    });
    if (response.ok && takesAnswer) heldBack.pauseMs = firstPauseMs;
    if (response.ok) return { kind: "acknowledged", ...(await readSent(response, leaving)) };
    if (isPassing(response.status)) return null;
    const error = answerError(response.status, await response.json().catch(() => null));
    if (isAway(error)) return { kind: "away" };
    const isMoved = error.code === "chat-moved";
    return { kind: "refused", reason: error.message, ...(isMoved && { isMoved }) };
  } catch {
    const isSlow = leaving.signal.aborted && !signal.aborted;
    return isSlow ? attemptDelivery(outgoing, { ...options, takesAnswer: false }) : null;
  } finally {
    clearTimeout(waiting);
  }
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}
