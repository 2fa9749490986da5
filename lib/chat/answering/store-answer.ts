import type { GroveMetadata } from "@/lib/chat/wire/messages";
import {
  MessageConflictError,
  MessageNotFoundError,
  type Session,
  type SessionMessagePart,
} from "@/lib/session";
import type { RunRecord } from "./run-store";

export interface Answer {
  readonly run: Pick<RunRecord, "id" | "messageId" | "parentId">;
  readonly parts: readonly SessionMessagePart[];
  readonly metadata: GroveMetadata;
}

/**
 * Stores an answer under its question, even one deleted meanwhile. Idempotent; one that went on after a
 * pause, or is longer than what was recovered of it, replaces it.
 */
export async function storeAnswer(session: Session, answer: Answer): Promise<void> {
  const { run, parts, metadata } = answer;
  const message = { id: run.messageId, role: "assistant" as const, parts, metadata };
  try {
    await session.appendMessage(message, run.parentId, { activate: "follow" });
  } catch (error) {
    if (error instanceof MessageConflictError) return complete(session, answer);
    if (!(error instanceof MessageNotFoundError)) throw error;
    await session.appendMessage(message, undefined, { activate: false });
  }
}

async function complete(session: Session, { run, parts, metadata }: Answer): Promise<void> {
  const present = await session.getMessage(run.messageId);
  const known = present?.metadata as GroveMetadata | undefined;
  if (!present || known?.runId !== run.id) return;
  if (known.status !== "interrupted" && known.status !== "paused") return;
  const isPartial = metadata.status === "interrupted" && known.status === "interrupted";
  if (!isPartial || lengthOf(parts) > lengthOf(present.parts))
    await session.updateMessage({ ...present, parts, metadata });
}

function lengthOf(parts: readonly SessionMessagePart[]): number {
  return JSON.stringify(parts).length;
}
