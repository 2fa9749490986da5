import {
  InvalidArgumentError,
  MessageNotFoundError,
  type SessionMessagePart,
  type StoredMessage,
} from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { AskedAnswer, GroveMetadata, MessageVersionWire } from "@/lib/chat/wire/messages";
import { changeMessage } from "./change-message";

export interface KeepOptions {
  readonly sessionId: string;
  readonly messageId: string;
  readonly kept: string | null;
}

export async function keepAnswer(
  owner: Pick<OwnerData, "store" | "turns">,
  { sessionId, messageId, kept }: KeepOptions,
): Promise<void> {
  const messages = owner.store.messages(sessionId);
  const question = await messages.getMessage(messageId);
  if (!question) throw new MessageNotFoundError(messageId);
  const asked = ((question.metadata ?? {}) as GroveMetadata).together ?? [];
  if (kept !== null && !asked.some(({ answerId }) => answerId === kept))
    throw new InvalidArgumentError("This answer was not asked for together with others.");
  if (kept !== null) await messages.setActiveLeaf(kept);
  await changeMessage(owner, { sessionId, messageId }, (present) => {
    const { kept: _, ...metadata } = (present.metadata ?? {}) as GroveMetadata;
    return { ...present, metadata: { ...metadata, ...(kept !== null && { kept }) } };
  });
}

export async function replaceAsked(
  owner: Pick<OwnerData, "store" | "turns">,
  {
    sessionId,
    messageId,
    replaces,
    by,
  }: Omit<KeepOptions, "kept"> & { readonly replaces: string; readonly by: AskedAnswer },
): Promise<void> {
  await changeMessage(owner, { sessionId, messageId }, (question) => {
    const metadata = (question.metadata ?? {}) as GroveMetadata;
    if (!metadata.together?.some(({ answerId }) => answerId === replaces)) return null;
    const together = metadata.together.map((asked) => (asked.answerId === replaces ? by : asked));
    return { ...question, metadata: { ...metadata, together } };
  });
}

export type AskedEnds = ReadonlyMap<
  string,
  Pick<StoredMessage, "parts" | "metadata" | "createdAt">
>;

/**
 * The first finished answer; once all have ended, the first asked with any words, else the first asked. `null`, the
 * question, while others are written.
 */
export function answerToGoOnWith(
  asked: readonly AskedAnswer[],
  { ends, isWriting }: { ends: AskedEnds; isWriting: boolean },
): string | null {
  const stored = asked.flatMap(({ answerId }) => {
    const end = ends.get(answerId);
    return end ? [{ answerId, ...end }] : [];
  });
  const finished = stored
    .filter(({ metadata }) => isFinished((metadata as GroveMetadata | undefined)?.status))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  if (finished[0]) return finished[0].answerId;
  if (isWriting) return null;
  return (stored.find(({ parts }) => hasWords(parts)) ?? stored[0])?.answerId ?? null;
}

function isFinished(status: GroveMetadata["status"]): boolean {
  return status === "complete" || status === "paused";
}

function hasWords(parts: readonly SessionMessagePart[]): boolean {
  return parts.some(({ type, text }) => type === "text" && String(text ?? "").trim() !== "");
}

/** Call this after the run's end: the last of several failing answers then sees all the others ended. */
export async function goOnWithout(
  { store, runs }: Pick<OwnerData, "store" | "runs">,
  { sessionId, messageId, parentId }: Pick<RunRecord, "sessionId" | "messageId" | "parentId">,
): Promise<void> {
  const messages = store.messages(sessionId);
  const question = await messages.getMessage(parentId);
  const { together = [], kept } = (question?.metadata ?? {}) as GroveMetadata;
  const others = together.filter(({ answerId }) => answerId !== messageId);
  if (kept !== undefined || others.length === together.length) return;
  // An answer stored between reading and choosing was not active, so the choice is checked again.
  for (let chosen: string | undefined; ; ) {
    const leafId = (await messages.getLatestLeaf())?.id;
    // The person, or a better answer, has moved on.
    if (![parentId, messageId, chosen].includes(leafId)) return;
    // A run missing here has stored its answer, which the next statement reads.
    const running = await runs.running(sessionId);
    const children = await messages.getBranches(parentId);
    const next =
      answerToGoOnWith(together, {
        ends: new Map(children.map((child) => [child.id, child])),
        isWriting: running.some((run) => others.some(({ answerId }) => answerId === run.messageId)),
      }) ?? parentId;
    if (next === leafId) return;
    await messages.setActiveLeaf(next);
    chosen = next;
  }
}

const mostVersions = 200;

export async function answerVersions(
  { store }: Pick<OwnerData, "store">,
  { sessionId, messageId }: Omit<KeepOptions, "kept">,
): Promise<MessageVersionWire[]> {
  const children = await store.messages(sessionId).getBranches(messageId);
  return children
    .filter(({ role }) => role === "assistant")
    .slice(0, mostVersions)
    .map(({ id, metadata, createdAt }) => {
      const { model = null, status = null, editedFrom } = (metadata ?? {}) as GroveMetadata;
      const isEdited = editedFrom !== undefined;
      return { id, model, status, isEdited, createdAt: createdAt.toISOString() };
    });
}
