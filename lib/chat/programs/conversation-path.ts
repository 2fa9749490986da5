import type { SessionInfo, StoredMessage } from "grove-session";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { type ConversationMessage, instructionsIn } from "./items";
import { itemKeys, messageIdsOf } from "./message-items";
import { type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { storedRequest } from "./response-object";

const pointed = z.object({ conversationLeaf: z.string() });

/** A program's own path through a chat: a person's messages and other branches do not move its end. */
export interface ConversationEnd {
  readonly leafId: string | undefined;
  readonly isWritten: boolean;
}

/** Noted by the last request; its message may not be stored yet, or be deleted. */
export function notedEnd({ metadata }: SessionInfo): string | undefined {
  return pointed.safeParse(metadata).data?.conversationLeaf;
}

export async function conversationEnd(
  { owner, runner }: Pick<Program, "owner" | "runner">,
  info: SessionInfo,
): Promise<ConversationEnd> {
  const leafId = notedEnd(info);
  if (leafId === undefined) {
    const running = await owner.runs.running(info.id);
    return { leafId, isWritten: running.some(({ kind }) => kind === "answer") };
  }
  const tree = owner.store.messages(info.id);
  if (await tree.getMessage(leafId)) return { leafId, isWritten: false };
  const run = await runner.find(owner, leafId);
  const parent = run && (await tree.getMessage(run.parentId));
  return { leafId: parent?.id, isWritten: run?.status === "running" };
}

export async function endConversationAt(
  { store }: OwnerData,
  sessionId: string,
  leafId: string,
): Promise<void> {
  await store.sessions.update(sessionId, { metadata: { conversationLeaf: leafId } });
}

/** Requests of a conversation take turns, so that its end moves with the stored messages. */
export async function inConversation<Result>(
  { turns }: OwnerData,
  conversationId: string,
  act: () => Promise<Result>,
): Promise<Result> {
  return turns.take(turnOf(conversationId), act);
}

export function turnOf(conversationId: string): string {
  return `conversation ${withoutPrefix("conv", conversationId)}`;
}

export function assertNotWritten({ isWritten }: ConversationEnd): void {
  if (!isWritten) return;
  throw programError(
    "locked",
    "Another request is writing to this conversation. Try again when its response has ended.",
    "conversation",
  );
}

export interface Repeated {
  readonly found: readonly StoredMessage[];
  readonly rest: readonly ConversationMessage[];
}

/** A message without keys is passed over. */
export type KeysOf = (message: ConversationMessage) => readonly string[];

/** `null` searches from a root. */
export async function repeatedBelow(
  { store }: OwnerData,
  { sessionId, leafId }: { sessionId: string; leafId: string | null },
  messages: readonly ConversationMessage[],
  keysOf: KeysOf = itemKeys,
): Promise<Repeated> {
  const tree = store.messages(sessionId);
  const below = async (
    parentId: string | null,
    given: readonly ConversationMessage[],
  ): Promise<Repeated> => {
    const children = await (parentId === null ? tree.getRoots() : tree.getBranches(parentId));
    for (const child of children) {
      const left = withoutBeginning(given, keysOf(child), keysOf);
      if (!left) continue;
      const { found, rest } = await below(child.id, left);
      return { found: [child, ...found], rest };
    }
    for (const child of children.filter((each) => keysOf(each).length === 0)) {
      const { found, rest } = await below(child.id, given);
      if (found.length > 0) return { found: [child, ...found], rest };
    }
    return { found: [], rest: given };
  };
  return below(leafId, messages);
}

/** The active path comes first, as it nearly always matches. */
export async function followedIn(
  owner: OwnerData,
  sessionId: string,
  { messages, keysOf }: { messages: readonly ConversationMessage[]; keysOf: KeysOf },
): Promise<Repeated> {
  const { entries, hasMore } = await owner.store.messages(sessionId).getWindow({
    limit: 2 * messages.length + 16,
    overlays: false,
  });
  const path: StoredMessage[] = [];
  let found: readonly StoredMessage[] = [];
  let rest = messages;
  for (const { message } of hasMore ? [] : entries) {
    path.push(message);
    const keys = keysOf(message);
    if (keys.length === 0) continue;
    const left = withoutBeginning(rest, keys, keysOf);
    if (!left) break;
    found = [...path];
    rest = left;
  }
  const place = { sessionId, leafId: found.at(-1)?.id ?? null };
  const below = await repeatedBelow(owner, place, rest, keysOf);
  return { found: [...found, ...below.found], rest: below.rest };
}

function withoutBeginning(
  messages: readonly ConversationMessage[],
  keys: readonly string[],
  keysOf: KeysOf,
): readonly ConversationMessage[] | null {
  let matched = 0;
  for (const [index, message] of messages.entries()) {
    if (matched > 0 && matched === keys.length) return messages.slice(index);
    for (const key of keysOf(message)) {
      if (key !== keys[matched]) return null;
      matched++;
    }
  }
  return matched > 0 && matched === keys.length ? [] : null;
}

/** Programs that keep their history send it whole each time; the last item with a stored id finds the chat. */
export async function repeatedChat(
  owner: OwnerData,
  ids: readonly (string | null | undefined)[],
  messages: readonly ConversationMessage[],
): Promise<(Repeated & { info: SessionInfo; leafId: string }) | null> {
  const id = ids.findLast((each) => each);
  const place = id ? await messageWithItem(owner, id) : null;
  if (!place || place.info.archivedAt) return null;
  const { info, message } = place;
  const messageId = message.id;
  const { entries, hasMore } = await owner.store.messages(info.id).getWindow({
    leafId: messageId,
    limit: 2 * messages.length + 1,
    overlays: false,
  });
  const keys = entries.flatMap(({ message }) => itemKeys(message));
  const left = hasMore ? null : withoutBeginning(messages, keys, itemKeys);
  if (!left) return null;
  const below = await repeatedBelow(owner, { sessionId: info.id, leafId: messageId }, left);
  return { info, leafId: below.found.at(-1)?.id ?? messageId, ...below };
}

export async function messageWithItem(
  { store, runs }: OwnerData,
  itemId: string,
): Promise<{ info: SessionInfo; message: StoredMessage } | null> {
  for (const messageId of messageIdsOf(itemId)) {
    // The ids of a program's messages begin with that of their run, or their session and a request.
    const request = withoutEnd(messageId);
    const run = (await runs.get(messageId)) ?? (await runs.get(request));
    const sessionIds = run ? [run.sessionId] : [request, withoutEnd(request)];
    for (const sessionId of sessionIds) {
      const info = await store.sessions.get(sessionId);
      const message = info && (await store.messages(info.id).getMessage(messageId));
      if (message) return { info, message };
    }
  }
  return null;
}

function withoutEnd(id: string): string {
  return id.replace(/-[^-]*$/, "");
}

export async function instructionsOn(
  { store, runs }: OwnerData,
  sessionId: string,
  leafId: string | undefined,
): Promise<string[]> {
  const tree = store.messages(sessionId);
  let after: string[] = [];
  let beforePosition: number | undefined;
  for (;;) {
    const { entries, hasMore } = await tree.getWindow({
      leafId,
      beforePosition,
      limit: 50,
      overlays: false,
    });
    for (const { message } of entries.toReversed()) {
      after = [...instructionsIn([message]), ...after];
      if (!isAnswer(message)) continue;
      const run = await runs.get(message.id);
      const known = storedRequest.safeParse(run?.request).data;
      if (known) return [...known.developer, ...after];
    }
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return after;
  }
}

export function isAnswer({ role, metadata }: StoredMessage): boolean {
  return role === "assistant" && (metadata as GroveMetadata | undefined)?.status !== undefined;
}
