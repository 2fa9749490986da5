import type { SessionInfo, StoredMessage } from "grove-session";
import { z } from "zod";
import { RecentMap } from "@/lib/chat/core/recent-map";
import { deleteSession } from "@/lib/chat/data/deletions";
import {
  beginChat,
  beginConversation,
  beginningTurn,
  type Conversation,
  changeMetadata,
  chatOfResponses,
  conversationObject,
  forgetConversation,
  requireConversation,
} from "./conversation-chat";
import {
  assertNotWritten,
  conversationEnd,
  endConversationAt,
  inConversation,
  notedEnd,
  repeatedBelow,
  turnOf,
} from "./conversation-path";
import { storeItemFiles } from "./item-files";
import {
  itemOn,
  type ListedPath,
  type Path,
  type PathPosition,
  pageOf,
  pathPage,
  placeOf,
} from "./item-page";
import { type ConversationMessage, messagesFromItems, withCallsNamed } from "./items";
import { assertMay } from "./keys";
import { itemsOf } from "./message-items";
import { storeInput, titleOf } from "./place";
import { metadataSchema, type Program, withoutPrefix } from "./program";
import { programError } from "./program-error";
import { readInput } from "./read-input";
import type { JsonRecord } from "./response-writer";

export const createConversationRequest = z
  .object({ items: z.array(z.unknown()).nullish(), metadata: metadataSchema.nullish() })
  .nullish();

export const updateConversationRequest = z.object({ metadata: metadataSchema.nullable() });

export const createItemsRequest = z.object({ items: z.array(z.unknown()).min(1) });

export async function createConversation(
  program: Program,
  request: z.output<typeof createConversationRequest>,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const messages = await readMessages(program, request?.items ?? []);
  withCallsNamed(messages, []);
  const conversation = await beginConversation(program, request?.metadata ?? {});
  await addMessages(program, conversation, messages);
  return conversationObject(conversation);
}

export async function findConversation(program: Program, id: string): Promise<JsonRecord> {
  return conversationObject(await requireConversation(program, id));
}

export async function updateConversation(
  program: Program,
  id: string,
  { metadata }: z.output<typeof updateConversationRequest>,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const conversation = await requireConversation(program, id);
  return conversationObject(await changeMetadata(program, conversation, metadata ?? {}));
}

export async function deleteConversation(program: Program, id: string): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  return inConversation(program.owner, id, async () => {
    const conversation = await requireConversation(program, id);
    const { chat } = conversation;
    if (chat) {
      assertNotWritten(await conversationEnd(program, chat));
      await deleteSession(program.owner, chat.id);
    } else await forgetConversation(program, conversation);
    return { id, object: "conversation.deleted", deleted: true };
  });
}

export async function createItems(
  program: Program,
  conversationId: string,
  { items }: z.output<typeof createItemsRequest>,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const messages = await readMessages(program, items);
  const { chat } = await requireConversation(program, conversationId);
  const turns = [turnOf(conversationId), ...(chat ? [] : [beginningTurn])];
  return program.owner.turns.take(turns, async () => {
    const conversation = await requireConversation(program, conversationId);
    const added = await addMessages(program, conversation, messages);
    const data = added.flatMap(itemsOf);
    const [first, last] = [data[0]?.id ?? "", data.at(-1)?.id ?? ""];
    return { object: "list", data, first_id: first, last_id: last, has_more: false };
  });
}

async function readMessages(
  { owner }: Program,
  given: readonly unknown[],
): Promise<ConversationMessage[]> {
  const param = "items";
  const items = await readInput(owner, given, param);
  return messagesFromItems(items, {
    files: await storeItemFiles(owner.files, items, param),
    param,
  });
}

async function addMessages(
  program: Program,
  conversation: Conversation,
  messages: readonly ConversationMessage[],
): Promise<StoredMessage[]> {
  if (messages.length === 0) return [];
  const { owner } = program;
  const { info, leafId } = await endOf(program, conversation, messages);
  const tree = owner.store.messages(info.id);
  const { found, rest } = await repeatedBelow(owner, { sessionId: info.id, leafId }, messages);
  const parentId = found.at(-1)?.id ?? leafId;
  const place = { owner, info, parentId, developer: [], rest, isRepeated: false };
  const idPrefix = `${info.id}-${program.making.id.slice(0, 8)}`;
  const stored = await storeInput(place, idPrefix, { activate: "follow" });
  await endConversationAt(owner, info.id, stored.leafId);
  const ids = new Set(stored.inputIds);
  const { entries } = await tree.getWindow({
    leafId: stored.leafId,
    limit: ids.size || 1,
    overlays: false,
  });
  return [...found, ...entries.map(({ message }) => message).filter(({ id }) => ids.has(id))];
}

/** `null` for the beginning of a new chat, or of one with the items of responses. */
async function endOf(
  program: Program,
  conversation: Conversation,
  messages: readonly ConversationMessage[],
): Promise<{ info: SessionInfo; leafId: string | null }> {
  const { chat } = conversation;
  if (!chat) {
    const title = titleOf(withCallsNamed(messages, []));
    const known = await chatOfResponses(program, conversation, messages);
    return { info: known ?? (await beginChat(program, conversation, { title })), leafId: null };
  }
  const end = await conversationEnd(program, chat);
  assertNotWritten(end);
  const tree = program.owner.store.messages(chat.id);
  return { info: chat, leafId: end.leafId ?? (await tree.getLatestLeaf())?.id ?? null };
}

async function pathOf(
  program: Program,
  conversationId: string,
): Promise<(Path & { info: SessionInfo }) | null> {
  const { chat: info } = await requireConversation(program, conversationId);
  if (!info) return null;
  const { leafId } = await conversationEnd(program, info);
  return { info, tree: program.owner.store.messages(info.id), leafId };
}

/** Places where pages ended, at which the next ones begin nearly always. */
const pageEnds = new RecentMap<string, PathPosition & { readonly leafId: string | undefined }>({
  most: 1_000,
});

export async function listItems(
  program: Program,
  conversationId: string,
  query: URLSearchParams,
): Promise<JsonRecord> {
  const { store, spaceId } = program.owner;
  const keyOf = (chatId: string, itemId: string) => [spaceId, chatId, itemId].join("\n");
  const pageOn = (chatId: string, leafId: string | undefined, more: Partial<ListedPath> = {}) =>
    pathPage(
      {
        ...{ tree: store.messages(chatId), leafId, ...more },
        onMore: (itemId, place) => pageEnds.set(keyOf(chatId, itemId), { ...place, leafId }),
      },
      query,
    );
  // A chat nearly always has its conversation's id, so the page, or its place where that is unknown, is read at once.
  const likelyId = withoutPrefix("conv", conversationId);
  const after = query.get("after");
  const end = after === null ? undefined : pageEnds.get(keyOf(likelyId, after));
  // A place that has changed fails here, and is read again below.
  const ahead =
    end && pageOn(likelyId, end.leafId, { place: Promise.resolve(end) }).catch(() => null);
  const place = after === null || end ? undefined : placeOf(store.messages(likelyId), after);
  place?.catch(() => undefined);
  const { chat } = await requireConversation(program, conversationId);
  if (!chat) return pageOf([], query);
  const leafId = notedEnd(chat);
  const page = end && chat.id === likelyId && leafId === end.leafId ? await ahead : null;
  if (page) return page;
  const otherLeafId = async () => (await conversationEnd(program, chat)).leafId;
  return pageOn(chat.id, leafId, { otherLeafId, ...(chat.id === likelyId && { place }) });
}

export async function findItem(
  program: Program,
  conversationId: string,
  itemId: string,
): Promise<JsonRecord> {
  const path = await pathOf(program, conversationId);
  const found = path && (await itemOn(path, itemId));
  return (found ?? refuseItem(itemId)).item;
}

export async function deleteItem(
  program: Program,
  conversationId: string,
  itemId: string,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const { owner } = program;
  return inConversation(owner, conversationId, async () => {
    const path = (await pathOf(program, conversationId)) ?? refuseItem(itemId);
    assertNotWritten(await conversationEnd(program, path.info));
    const { entry, itemCount } = (await itemOn(path, itemId)) ?? refuseItem(itemId);
    if (itemCount > 1) {
      throw programError(
        "conflict",
        `The item “${itemId}” is one of ${itemCount} of an answer, which are deleted together: delete resp_${entry.message.id}.`,
        "item_id",
      );
    }
    // The end moves up first, so that no moment shows another path.
    if (entry.message.id === path.leafId && entry.parentId !== null)
      await endConversationAt(owner, path.info.id, entry.parentId);
    await path.tree.deleteMessages([entry.message.id]);
    return findConversation(program, conversationId);
  });
}

function refuseItem(itemId: string): never {
  throw programError(
    "not-found",
    `No item of this conversation has the id “${itemId}”.`,
    "item_id",
  );
}
