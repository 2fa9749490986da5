import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { EndedAnswer, RunRecord } from "@/lib/chat/core/run-store";
import type { Pause } from "@/lib/chat/runs/pause";
import { type RetryOptions, retry } from "@/lib/chat/runs/retry";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import {
  MessageConflictError,
  MessageNotFoundError,
  type SessionMessagePart,
  SessionNotFoundError,
  type StoredMessage,
} from "@/lib/session";
import { storableText } from "@/lib/session/internal";

export type Stored = GroveMetadata & { readonly status: AnswerStatus };

/** An answer as it ended, in whatever way. */
export interface Ended {
  readonly run: Pick<RunRecord, "id" | "fence" | "status" | "sessionId" | "messageId" | "parentId">;
  readonly parts: readonly SessionMessagePart[];
  readonly metadata: Stored;
  readonly pause?: Pause | null | undefined;
  /** Added to the stored one. */
  readonly receipt?: object | null | undefined;
}

export interface EndOptions extends Pick<RetryOptions, "waits" | "onFailure"> {
  /** Receives what was left out, or stored in a plainer form, and why. */
  readonly failed: (error: unknown) => void;
}

/**
 * Stores an answer under its question, even one deleted meanwhile, and the end of its run, both or neither. One that
 * went on after a pause, or is longer than what was recovered of it, replaces what is stored. What the database refuses
 * is left out: first the receipt, then all but the text, at last the message.
 *
 * @returns what is stored; `null` when another process has ended it.
 * @throws {SessionNotFoundError} when the session is deleted: the answer waits for its restoration.
 */
export async function endAnswer(
  owner: Pick<OwnerData, "runs" | "store">,
  ended: Ended,
  { failed, ...options }: EndOptions,
): Promise<Stored | null> {
  const { run } = ended;
  const plain = textAlone(ended);
  const nothing = async () =>
    (await owner.runs.end(run, { status: "failed", from: [run.status] })) && plain.metadata;
  const forms = [ended, { ...ended, receipt: null }, plain];
  const attempts = [...forms.map((form) => () => store(owner, form)), nothing];
  for (let n = 0; ; n++) {
    try {
      return await retry(attempts[n] ?? nothing, { tries: 4, ...options });
    } catch (error) {
      const isLast = n === attempts.length - 1;
      if (isLast || isDatabaseAway(error) || error instanceof SessionNotFoundError) throw error;
      failed(error);
    }
  }
}

async function store(
  { runs, store: sessions }: Pick<OwnerData, "runs" | "store">,
  ended: Ended,
): Promise<Stored | null> {
  const { run, parts, metadata, pause, receipt } = ended;
  const { sessionId, messageId: id } = run;
  const end = { from: [run.status], pause: pause ?? undefined, receipt: receipt ?? undefined };
  const message = { id, role: "assistant" as const, parts, metadata };
  const leave = async (known: Stored) =>
    (await runs.end(run, { ...end, status: known.status })) && known;
  const put = async (place: EndedAnswer["place"]): Promise<Stored | null> => {
    try {
      const answer = { sessionId, message, place };
      return (await runs.end(run, { ...end, status: metadata.status, answer })) && metadata;
    } catch (error) {
      if (error instanceof MessageNotFoundError)
        return typeof place === "object" ? put("behind") : leave(metadata);
      if (!(error instanceof MessageConflictError)) throw error;
      const present = await sessions.messages(sessionId).getMessage(id);
      return isReplaced(present, ended) ? put("instead") : leave(knownEnd(present, ended));
    }
  };
  return put({ under: run.parentId });
}

/** An answer that was stored before its run ended keeps its status. */
function knownEnd(present: StoredMessage | null, { run, metadata }: Ended): Stored {
  const known = (present?.metadata ?? {}) as GroveMetadata;
  const { status } = known;
  const isIts = known.runId === run.id && status !== undefined && status !== "paused";
  return isIts ? { ...known, status } : metadata;
}

function isReplaced(
  present: StoredMessage | null,
  { run, parts, metadata }: Ended,
): present is StoredMessage {
  const known = present?.metadata as GroveMetadata | undefined;
  if (!present || known?.runId !== run.id) return false;
  if (known.status !== "interrupted" && known.status !== "paused") return false;
  const isPartial = metadata.status === "interrupted" && known.status === "interrupted";
  return !isPartial || lengthOf(parts) > lengthOf(present.parts);
}

function lengthOf(parts: readonly SessionMessagePart[]): number {
  return JSON.stringify(parts).length;
}

/** Its calls and files are not stored, so it cannot go on. */
function textAlone({ run, parts, metadata: { runId, model, continuedFrom } }: Ended): Ended {
  const written = parts.flatMap(({ type, text }) => {
    const isWritten = (type === "text" || type === "reasoning") && typeof text === "string";
    return isWritten ? [{ type, text: storableText(text) }] : [];
  });
  const metadata = {
    status: "failed" as const,
    error: unstored,
    ...(runId !== undefined && { runId }),
    ...(model !== undefined && { model }),
    ...(continuedFrom !== undefined && { continuedFrom }),
  };
  return { run, parts: written, metadata };
}

const unstored: NonNullable<GroveMetadata["error"]> = {
  code: "unstored",
  message:
    "Grove could not store all of this answer, so its text is kept alone. The server's log says more.",
  retryable: true,
};
