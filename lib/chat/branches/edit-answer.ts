import { InvalidArgumentError, MessageNotFoundError, type SessionMessage } from "grove-session";
import { assertStorable } from "grove-session/ports";
import type { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { entryOf, requireSession } from "@/lib/chat/sessions/transcript";
import type { EntryWire, editAnswerRequest, GroveMetadata } from "@/lib/chat/wire/messages";
import { replaceAsked } from "./keep-answer";

export type EditAnswerRequest = z.output<typeof editAnswerRequest>;

export async function editAnswer(
  owner: OwnerData,
  { sessionId, messageId }: { readonly sessionId: string; readonly messageId: string },
  { id, texts }: EditAnswerRequest,
): Promise<EntryWire> {
  await requireSession(owner, sessionId);
  const messages = owner.store.messages(sessionId);
  const original = await messages.getMessage(messageId);
  if (!original) throw new MessageNotFoundError(messageId);
  const edited = editedAnswer(original, { id, texts: cleanText(texts) });
  const { parentId } = await entryOf(owner, sessionId, messageId);
  await messages.appendMessage(edited, parentId);
  const { model } = metadataOf(edited);
  if (parentId !== null && model !== undefined && !(await isKept(owner, sessionId, parentId)))
    await replaceAsked(owner, {
      sessionId,
      messageId: parentId,
      replaces: messageId,
      by: { answerId: id, model },
    });
  return entryOf(owner, sessionId, id);
}

export function editedAnswer(
  original: SessionMessage,
  { id, texts }: EditAnswerRequest,
): SessionMessage {
  const known = metadataOf(original);
  if (original.role !== "assistant" || known.note)
    throw new InvalidArgumentError("Only an answer can be edited like this.");
  if (known.status === "paused")
    throw new InvalidArgumentError("This answer waits for you. Decide first, then edit it.");
  const rest = [...texts];
  const parts = original.parts.flatMap((part) => {
    if (!isText(part)) return [part];
    const text = rest.shift();
    // A provider's metadata describes its own words.
    return text === undefined || text.trim() === "" ? [] : [{ type: "text", text }];
  });
  if (texts.length !== original.parts.filter(isText).length)
    throw new InvalidArgumentError("This answer has changed. Reload it, then edit it again.");
  if (parts.length === 0 || texts.every((text) => text.trim() === ""))
    throw new InvalidArgumentError("The answer is empty.");
  const { model, thoughtMs, assistant } = known;
  const metadata: GroveMetadata = {
    status: "complete",
    ...(model !== undefined && { model }),
    ...(thoughtMs && { thoughtMs }),
    ...(assistant && { assistant }),
    editedFrom: original.id,
  };
  const edited = { id, role: original.role, parts, metadata };
  assertStorable(edited);
  return edited;
}

function isText({ type, text }: SessionMessage["parts"][number]): boolean {
  return type === "text" && typeof text === "string" && text !== "";
}

function metadataOf({ metadata }: Pick<SessionMessage, "metadata">): GroveMetadata {
  return (metadata ?? {}) as GroveMetadata;
}

async function isKept({ store }: OwnerData, sessionId: string, id: string): Promise<boolean> {
  const question = await store.messages(sessionId).getMessage(id);
  return question !== null && metadataOf(question).kept !== undefined;
}
