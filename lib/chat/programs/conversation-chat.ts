import type { SessionInfo } from "grove-session";
import { z } from "zod";
import { isAnswer, repeatedBelow } from "./conversation-path";
import type { ConversationMessage } from "./items";
import { metadataSchema, newProgramSession, type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { conversationIdOf } from "./response-object";
import type { JsonRecord } from "./response-writer";

/** A program's conversation is no chat until it has an item, so that no empty ones are listed. */
export interface Conversation {
  readonly id: string;
  readonly createdAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
  readonly chat: SessionInfo | null;
}

type Holder = Pick<Program, "owner" | "temporary">;

const pointing = z.object({ chatId: z.string() });
const withMetadata = z.object({ conversationMetadata: metadataSchema });
const begunAs = z.object({
  conversation: z.object({ id: z.string(), createdAt: z.coerce.date() }),
});

const recentChats = 50;

export const beginningTurn = "beginning of a conversation";

export async function requireConversation(
  { owner, temporary }: Holder,
  conversationId: string,
): Promise<Conversation> {
  const id = withoutPrefix("conv", conversationId);
  const own = await owner.store.sessions.get(id);
  if (own) return conversationOf(conversationId, { info: own, chat: own });
  const found = await temporary.store.sessions.get(id);
  // The person's own temporary chats are there, too.
  const begun = found && programOf(found) !== undefined ? found : null;
  const chatId = pointing.safeParse(begun?.metadata).data?.chatId;
  const chat = chatId === undefined ? null : await owner.store.sessions.get(chatId);
  const isDeleted = chatId !== undefined && !chat;
  if (begun && !isDeleted) return conversationOf(conversationId, { info: chat ?? begun, chat });
  throw programError("not-found", `Conversation with id '${conversationId}' not found.`);
}

function conversationOf(
  id: string,
  { info, chat }: { info: SessionInfo; chat: SessionInfo | null },
): Conversation {
  const begun = begunAs.safeParse(info.metadata).data?.conversation;
  return {
    id,
    createdAt: begun?.id === id ? begun.createdAt : info.createdAt,
    metadata: withMetadata.safeParse(info.metadata).data?.conversationMetadata ?? {},
    chat,
  };
}

export function conversationObject({ id, createdAt, metadata }: Conversation): JsonRecord {
  return {
    id,
    object: "conversation",
    created_at: Math.floor(createdAt.getTime() / 1_000),
    metadata,
  };
}

export async function beginConversation(
  { temporary, key, making: { id } }: Program,
  metadata: Readonly<Record<string, string>>,
): Promise<Conversation> {
  const info = await newProgramSession({ owner: temporary, key }, { id, title: "", metadata });
  return conversationOf(conversationIdOf(id), { info, chat: null });
}

export async function forgetConversation(
  { temporary }: Holder,
  { id }: Conversation,
): Promise<void> {
  await temporary.store.sessions.delete(withoutPrefix("conv", id), { permanently: true });
}

export async function changeMetadata(
  { owner, temporary }: Holder,
  conversation: Conversation,
  metadata: Readonly<Record<string, string>>,
): Promise<Conversation> {
  const { id, chat } = conversation;
  const sessions = chat ? owner.store.sessions : temporary.store.sessions;
  const sessionId = chat?.id ?? withoutPrefix("conv", id);
  await sessions.update(sessionId, { metadata: { conversationMetadata: metadata } });
  return { ...conversation, metadata };
}

export async function beginChat(
  program: Program,
  conversation: Conversation,
  chat: { readonly title: string; readonly model?: string | undefined },
): Promise<SessionInfo> {
  const { owner, key } = program;
  const id = withoutPrefix("conv", conversation.id);
  const made = await newProgramSession({ owner, key }, { id, ...chat });
  return pointTo(program, conversation, made);
}

/** The chat belongs to no other conversation, and reads as all of the items. */
export async function chatOfResponses(
  program: Program,
  conversation: Conversation,
  messages: readonly ConversationMessage[],
): Promise<SessionInfo | null> {
  const { owner, key } = program;
  const { sessions } = await owner.store.sessions.list({ limit: recentChats });
  for (const info of sessions) {
    const isOfKey = programOf(info) === key.id && info.createdAt >= conversation.createdAt;
    if (!isOfKey || begunAs.safeParse(info.metadata).success) continue;
    const { found, rest } = await repeatedBelow(
      owner,
      { sessionId: info.id, leafId: null },
      messages,
    );
    const last = found.at(-1);
    if (rest.length === 0 && last && isAnswer(last)) return pointTo(program, conversation, info);
  }
  return null;
}

const ofKey = z.object({ program: z.object({ keyId: z.string() }) });

function programOf({ metadata }: SessionInfo): string | undefined {
  return ofKey.safeParse(metadata).data?.program.keyId;
}

async function pointTo(
  { owner, temporary }: Holder,
  { id, createdAt, metadata }: Conversation,
  { id: chatId }: SessionInfo,
): Promise<SessionInfo> {
  const conversation = { id, createdAt: createdAt.toISOString() };
  const changes = { metadata: { conversation, conversationMetadata: metadata } };
  const info = await owner.store.sessions.update(chatId, changes);
  await temporary.store.sessions.update(withoutPrefix("conv", id), { metadata: { chatId } });
  return info;
}
