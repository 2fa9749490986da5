import {
  estimateMessageTokens,
  previewOf,
  type SessionMessagePart,
  type StoredMessage,
} from "grove-session";
import type { z } from "zod";
import { compactFunction } from "@/lib/chat/compaction/compaction-model";
import { whySummaryFailed } from "@/lib/chat/compaction/why-summary-failed";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { sentInFullIn } from "@/lib/chat/sessions/model-input";
import { entryOf, messagesOf, requireSession } from "@/lib/chat/sessions/transcript";
import type {
  NoteDraftWire,
  NotePlaces,
  NoteSourceWire,
  storeNoteRequest,
} from "@/lib/chat/wire/branches";
import type { EntryWire, NoteWire } from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import { entriesApart } from "./parting";

const maxTextLength = 200_000;

const leads = {
  summary: "Carried over from another branch of this conversation, as a summary:",
  messages: "Carried over from another branch of this conversation, verbatim:",
} as const;

export async function noteSource(
  owner: OwnerData,
  sessionId: string,
  places: NotePlaces,
): Promise<NoteSourceWire> {
  const messages = await leftMessages(owner, sessionId, places);
  return {
    messages: messages.map((message) => ({
      id: message.id,
      role: message.role,
      preview: previewOf(message),
      tokens: estimateMessageTokens([message]),
    })),
  };
}

export async function draftNote(
  owner: OwnerData,
  sessionId: string,
  { resolved, signal, ...places }: NotePlaces & { resolved: ResolvedModel; signal?: AbortSignal },
): Promise<NoteDraftWire> {
  const messages = await leftMessages(owner, sessionId, places);
  if (messages.length === 0) throw nothingToBring();
  const sentInFull = sentInFullIn(await requireSession(owner, sessionId));
  const { summarizeAll } = compactFunction(owner, sessionId, { resolved, sentInFull });
  try {
    const { text } = await summarizeAll(messages, { signal });
    return { text, model: resolved.info.ref, messageCount: messages.length };
  } catch (cause) {
    const why = whySummaryFailed(cause);
    throw why === null ? cause : summaryFailed(why, cause);
  }
}

/** A user message, so that deleting undoes it. Idempotent by id. */
export async function storeNote(
  owner: OwnerData,
  sessionId: string,
  { id, parentId, from, model, ...content }: z.output<typeof storeNoteRequest>,
): Promise<EntryWire> {
  const left = await leftMessages(owner, sessionId, { from, to: parentId });
  const text =
    content.kind === "summary" ? content.text : wordForWord(picked(left, content.messageIds));
  if (text.length > maxTextLength) {
    const limit = maxTextLength.toLocaleString("en");
    throw new ChatError("bad-parts", `A message has at most ${limit} characters. Pick fewer.`);
  }
  const note: NoteWire = { kind: content.kind, from, ...(model && { model }) };
  const parts: SessionMessagePart[] = [leads[content.kind], text].map((words) => ({
    type: "text",
    text: words,
  }));
  const messages = owner.store.messages(sessionId);
  await messages.appendMessage({ id, role: "user", parts, metadata: { note } }, parentId);
  return entryOf(owner, sessionId, id);
}

async function leftMessages(
  owner: OwnerData,
  sessionId: string,
  { from, to }: NotePlaces,
): Promise<StoredMessage[]> {
  const messages = await messagesOf(owner, sessionId);
  return (await entriesApart(messages, { from, to })).map(({ message }) => message);
}

function picked(left: readonly StoredMessage[], ids: readonly string[]): StoredMessage[] {
  const wanted = new Set(ids);
  const found = left.filter(({ id }) => wanted.has(id));
  if (found.length < wanted.size) throw nothingToBring();
  return found;
}

function wordForWord(messages: readonly StoredMessage[]): string {
  return messages
    .map((message) => {
      const who = message.role === "user" ? "I wrote:" : "The answer was:";
      return `**${who}**\n\n${textOf(message)}`;
    })
    .join("\n\n");
}

function textOf({ parts }: StoredMessage): string {
  const texts = parts.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  return texts.join("\n\n") || "(no text)";
}

function summaryFailed(why: string, cause: unknown): ChatError {
  return new ChatError("summary-failed", `The summary could not be written. ${why}`, { cause });
}

function nothingToBring(): ChatError {
  return new ChatError(
    "nothing-to-bring",
    "These messages are not on the branch you left, so there is nothing to carry over.",
  );
}
