import type { UIMessageChunk } from "ai";
import {
  MessageConflictError,
  MessageNotFoundError,
  type SessionMessagePart,
  SessionNotFoundError,
  type StoredMessage,
} from "grove-session";
import { cleanText } from "@/lib/chat/core/clean-text";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunEnd, RunRecord } from "@/lib/chat/core/run-store";
import { withFileFacts } from "@/lib/chat/files/answer-files";
import { ifPossible, type RetryOptions, retry } from "@/lib/chat/runs/retry";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { type Ended, type Entry, ended } from "./ended";
import { declineHeldWrites, memoryWrites } from "./memory-writes";
import { type Begun, orderOf } from "./order";

interface Settling extends Pick<RetryOptions, "waits" | "onFailure"> {
  readonly owner: OwnerData;
  readonly run: RunRecord;
  readonly begun: Begun;
  readonly entries: readonly Entry[];
  readonly log?: (finish: UIMessageChunk) => Promise<unknown>;
  readonly receiptOf?: (end: Ended) => object | null;
  readonly failed: (error: unknown) => void;
}

/**
 * Stores how a leg ended with the end of its run. Failing bookkeeping is left out. @returns what is stored; `null` when
 * another process has ended the run. @throws {SessionNotFoundError} when the session is deleted: the answer waits for
 * its restoration.
 */
export async function settle(settling: Settling): Promise<Ended["metadata"] | null> {
  const { owner, run, begun, entries } = settling;
  const order = orderOf(run);
  const end = await ended(order, begun, entries);
  const facts = () => withFileFacts(owner.files, end.parts);
  const parts = await ifPossible(facts, end.parts, settling);
  const writes = await ifPossible(() => memoryWrites(owner, order, parts), {}, settling);
  const whole = { ...end, parts, metadata: { ...end.metadata, ...writes } };
  await settling.log?.({ type: "finish", messageMetadata: whole.metadata });
  const { usage, withdrawn } = end;
  if (usage) await ifPossible(() => owner.usage.record(usage), undefined, settling);
  const receipt = settling.receiptOf?.(whole) ?? null;
  const stored = await storeEnd(settling, whole, receipt);
  if (stored && withdrawn)
    await ifPossible(() => declineHeldWrites(owner, run.messageId, withdrawn), undefined, settling);
  return stored;
}

/**
 * Stores an answer, even under a deleted question, and the end of its run, both or neither. It replaces a stored answer
 * that it continues, or a shorter recovered one. When the database refuses, first the receipt is left out, then all but
 * the text, at last the message.
 */
async function storeEnd(
  settling: Settling,
  end: Ended,
  receipt: object | null,
): Promise<Ended["metadata"] | null> {
  const { owner, run, waits, onFailure, failed } = settling;
  const plain = textAlone(end);
  const attempts = [
    () => store(settling, end, receipt),
    () => store(settling, end, null),
    () => store(settling, plain, null),
  ];
  const nothing = async () =>
    (await owner.runs.end(run, { status: "failed", from: [run.status] })) && plain.metadata;
  for (const attempt of attempts) {
    try {
      return await retry(attempt, { tries: 4, waits, onFailure });
    } catch (error) {
      if (isDatabaseAway(error) || error instanceof SessionNotFoundError) throw error;
      failed(error);
    }
  }
  return retry(nothing, { tries: 4, waits, onFailure });
}

async function store(
  { owner, run }: Settling,
  answer: Ended,
  receipt: object | null,
): Promise<Ended["metadata"] | null> {
  const { parts, metadata, pause } = answer;
  const { sessionId, messageId: id } = run;
  const end = { from: [run.status], pause: pause ?? undefined, receipt: receipt ?? undefined };
  const message = { id, role: "assistant" as const, parts, metadata };
  const leave = async (known: Ended["metadata"]) =>
    (await owner.runs.end(run, { ...end, status: known.status })) && known;
  const put = async (place: NonNullable<RunEnd["answer"]>["place"]): ReturnType<typeof leave> => {
    try {
      const stored = { sessionId, message, place };
      const { status } = metadata;
      return (await owner.runs.end(run, { ...end, status, answer: stored })) && metadata;
    } catch (error) {
      if (error instanceof MessageNotFoundError)
        return typeof place === "object" ? put("behind") : leave(metadata);
      if (!(error instanceof MessageConflictError)) throw error;
      const present = await owner.store.messages(sessionId).getMessage(id);
      return isReplaced(present, answer) ? put("instead") : leave(knownEnd(present, answer));
    }
  };
  return put({ under: run.parentId });
}

function knownEnd(present: StoredMessage | null, { metadata }: Ended): Ended["metadata"] {
  const known = (present?.metadata ?? {}) as GroveMetadata;
  const { status } = known;
  const isIts = known.runId === metadata.runId && status !== undefined && status !== "paused";
  return isIts ? { ...known, status } : metadata;
}

function isReplaced(
  present: StoredMessage | null,
  { parts, metadata }: Ended,
): present is StoredMessage {
  const known = present?.metadata as GroveMetadata | undefined;
  if (!present || known === undefined || known.runId !== metadata.runId) return false;
  if (known.status !== "interrupted" && known.status !== "paused") return false;
  const isPartial = metadata.status === "interrupted" && known.status === "interrupted";
  return !isPartial || lengthOf(parts) > lengthOf(present.parts);
}

function lengthOf(parts: readonly SessionMessagePart[]): number {
  return JSON.stringify(parts).length;
}

function textAlone(end: Ended): Ended {
  const { runId, model, continuedFrom } = end.metadata;
  const parts = end.parts.flatMap(({ type, text }) => {
    const isWritten = (type === "text" || type === "reasoning") && typeof text === "string";
    return isWritten ? [{ type, text: cleanText(text) }] : [];
  });
  const metadata = {
    status: "failed" as const,
    error: unstored,
    ...(runId !== undefined && { runId }),
    ...(model !== undefined && { model }),
    ...(continuedFrom !== undefined && { continuedFrom }),
  };
  return { ...end, parts, metadata, pause: null };
}

const unstored: NonNullable<GroveMetadata["error"]> = {
  code: "unstored",
  message:
    "Grove could not store all of this answer, so its text is kept alone. The server's log says more.",
  retryable: true,
};
