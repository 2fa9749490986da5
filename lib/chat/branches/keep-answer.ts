import type { OwnerData } from "@/lib/chat/owner-data";
import type { AskedAnswer, GroveMetadata, MessageVersionWire } from "@/lib/chat/wire/messages";
import { InvalidArgumentError, MessageNotFoundError } from "@/lib/session";

export interface KeepOptions {
  readonly sessionId: string;
  readonly messageId: string;
  /** `null` shows all answers again. */
  readonly kept: string | null;
}

/**
 * Goes on with one of the answers that several models gave to a question; the others stay as its versions.
 *
 * @throws {InvalidArgumentError} when the question was not asked for that answer.
 */
export async function keepAnswer(
  { store }: Pick<OwnerData, "store">,
  { sessionId, messageId, kept }: KeepOptions,
): Promise<void> {
  const messages = store.messages(sessionId);
  const question = await messages.getMessage(messageId);
  if (!question) throw new MessageNotFoundError(messageId);
  const { kept: _, ...metadata } = (question.metadata ?? {}) as GroveMetadata;
  const asked = metadata.together ?? [];
  if (kept !== null && !asked.some(({ answerId }) => answerId === kept))
    throw new InvalidArgumentError("This answer was not asked for together with others.");
  if (kept !== null) await messages.setActiveLeaf(kept);
  await messages.updateMessage({
    ...question,
    metadata: { ...metadata, ...(kept !== null && { kept }) },
  });
}

/** Lets another answer stand beside the others instead of `replaces`. Nothing happens without it. */
export async function replaceAsked(
  { store }: Pick<OwnerData, "store">,
  {
    sessionId,
    messageId,
    replaces,
    by,
  }: Omit<KeepOptions, "kept"> & { readonly replaces: string; readonly by: AskedAnswer },
): Promise<void> {
  const messages = store.messages(sessionId);
  const question = await messages.getMessage(messageId);
  const metadata = (question?.metadata ?? {}) as GroveMetadata;
  if (!question || !metadata.together?.some(({ answerId }) => answerId === replaces)) return;
  const together = metadata.together.map((asked) => (asked.answerId === replaces ? by : asked));
  await messages.updateMessage({ ...question, metadata: { ...metadata, together } });
}

const mostVersions = 200;

/** The answers to a question, oldest first. */
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
