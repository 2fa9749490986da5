import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { SessionInfo, StoredMessage } from "@/lib/session";
import { instructionsIn, type ListedMessage } from "./items";
import { itemKeys, messageIdsOf } from "./message-items";
import { type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { storedRequest } from "./response-object";

const pointed = z.object({ conversationLeaf: z.string() });

/**
 * The end of a conversation, which is a program's own path through a chat: what a person adds, and what other requests
 * branch off, does not move it. Until the program has written, it is the chat's active path.
 */
export interface ConversationEnd {
  /** `undefined` for the active leaf. */
  readonly leafId: string | undefined;
  /** An answer is being written there. */
  readonly isWritten: boolean;
}

/** As noted by the last request; the message may not be stored yet, or be deleted. */
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
  // Of an answer that is being written, or was deleted.
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

/** One request after the other for each conversation, so that its end moves with what is stored. @throws {ProgramError} 404. */
export async function inConversation<Result>(
  { turns }: OwnerData,
  conversationId: string,
  act: () => Promise<Result>,
): Promise<Result> {
  return turns.take(turnOf(conversationId), act);
}

/** The name of its turn. */
export function turnOf(conversationId: string): string {
  return `conversation ${withoutPrefix("conv", conversationId)}`;
}

/** @throws {ProgramError} 409 while an answer is being written there. */
export function assertNotWritten({ isWritten }: ConversationEnd): void {
  if (!isWritten) return;
  throw programError(
    "locked",
    "Another request is writing to this conversation. Try again when its response has ended.",
    "conversation",
  );
}

export interface Repeated {
  /** Messages of the tree that read as the list's beginning, in order. */
  readonly found: readonly StoredMessage[];
  readonly rest: readonly ListedMessage[];
}

/** Finds how far the tree below a message (`null`: from a root) reads as `messages`. */
export async function repeatedBelow(
  { store }: OwnerData,
  { sessionId, leafId }: { sessionId: string; leafId: string | null },
  messages: readonly ListedMessage[],
): Promise<Repeated> {
  const tree = store.messages(sessionId);
  const found: StoredMessage[] = [];
  let rest = messages;
  for (;;) {
    const last = found.at(-1)?.id ?? leafId;
    const children = last === null ? await tree.getRoots() : await tree.getBranches(last);
    const next = children
      .map((child) => ({ child, left: withoutBeginning(rest, itemKeys(child)) }))
      .find(({ left }) => left !== null);
    if (!next?.left) return { found, rest };
    found.push(next.child);
    rest = next.left;
  }
}

/** The messages after those that read as `keys`; `null` when the list begins otherwise. */
function withoutBeginning(
  messages: readonly ListedMessage[],
  keys: readonly string[],
): readonly ListedMessage[] | null {
  let matched = 0;
  for (const [index, message] of messages.entries()) {
    if (matched > 0 && matched === keys.length) return messages.slice(index);
    for (const key of itemKeys(message)) {
      if (key !== keys[matched]) return null;
      matched++;
    }
  }
  return matched > 0 && matched === keys.length ? [] : null;
}

/**
 * Finds the chat that a list of items repeats: by the last item with the id of a stored one, if everything up to it
 * reads as its path. Programs that keep their history themselves send it whole each time.
 */
export async function repeatedChat(
  owner: OwnerData,
  ids: readonly (string | null | undefined)[],
  messages: readonly ListedMessage[],
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
  const left = hasMore ? null : withoutBeginning(messages, keys);
  if (!left) return null;
  const below = await repeatedBelow(owner, { sessionId: info.id, leafId: messageId }, left);
  return { info, leafId: below.found.at(-1)?.id ?? messageId, ...below };
}

/** The message of a program or an answer that may hold an item. */
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

/** Instructions of a path: those its last response knew, and those after it. */
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
