import { z } from "zod";
import { deleteSession } from "@/lib/chat/data/deletions";
import type { SessionInfo, StoredMessage } from "@/lib/session";
import {
  assertNotWritten,
  conversationEnd,
  endConversationAt,
  inConversation,
  repeatedBelow,
  requireConversation,
} from "./conversation-path";
import { storeItemFiles } from "./item-files";
import { itemOn, type Path, pathPage } from "./item-page";
import { type ListedMessage, messagesFromItems } from "./items";
import { assertMay } from "./keys";
import { itemsOf } from "./message-items";
import { storeInput, titleOf } from "./place";
import { metadataSchema, newProgramSession, type Program } from "./program";
import { programError } from "./program-error";
import { readInput } from "./read-input";
import { conversationIdOf } from "./response-object";
import type { JsonRecord } from "./response-writer";

export const createConversationRequest = z
  .object({ items: z.array(z.unknown()).nullish(), metadata: metadataSchema.nullish() })
  .nullish();

export const updateConversationRequest = z.object({ metadata: metadataSchema.nullable() });

export const createItemsRequest = z.object({ items: z.array(z.unknown()).min(1) });

/** @throws {ProgramError} */
export async function createConversation(
  program: Program,
  request: z.output<typeof createConversationRequest>,
): Promise<JsonRecord> {
  const { key, owner } = program;
  assertMay(key, { writes: true });
  const messages = await readMessages(program, request?.items ?? []);
  const id = crypto.randomUUID();
  const { metadata } = request ?? {};
  const title = messages.length === 0 ? "" : titleOf(messages);
  const info = await newProgramSession({ owner, key }, { id, title, metadata });
  await addMessages(program, info, messages);
  return conversationObject(info);
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
  const { store } = program.owner;
  const info = await requireConversation(program, id);
  const changes = { metadata: { conversationMetadata: metadata ?? {} } };
  return conversationObject(await store.sessions.update(info.id, changes));
}

/** A person can restore it. */
export async function deleteConversation(program: Program, id: string): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  return inConversation(program.owner, id, async () => {
    const info = await requireConversation(program, id);
    assertNotWritten(await conversationEnd(program, info));
    await deleteSession(program.owner, info.id);
    return { id, object: "conversation.deleted", deleted: true };
  });
}

const storedMetadata = z.object({ conversationMetadata: metadataSchema });

function conversationObject(info: SessionInfo): JsonRecord {
  return {
    id: conversationIdOf(info.id),
    object: "conversation",
    created_at: Math.floor(info.createdAt.getTime() / 1_000),
    metadata: storedMetadata.safeParse(info.metadata).data?.conversationMetadata ?? {},
  };
}

/** Items that the conversation's chat has already, as of a response, are not stored again. @throws {ProgramError} */
export async function createItems(
  program: Program,
  conversationId: string,
  { items }: z.output<typeof createItemsRequest>,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const messages = await readMessages(program, items);
  return inConversation(program.owner, conversationId, async () => {
    const info = await requireConversation(program, conversationId);
    const added = await addMessages(program, info, messages);
    const data = added.flatMap(itemsOf);
    const [first, last] = [data[0]?.id ?? "", data.at(-1)?.id ?? ""];
    return { object: "list", data, first_id: first, last_id: last, has_more: false };
  });
}

async function readMessages(
  { owner }: Program,
  given: readonly unknown[],
): Promise<ListedMessage[]> {
  const param = "items";
  const items = await readInput(owner, given, param);
  return messagesFromItems(items, {
    files: await storeItemFiles(owner.files, items, param),
    param,
  });
}

async function addMessages(
  program: Program,
  info: SessionInfo,
  messages: readonly ListedMessage[],
): Promise<StoredMessage[]> {
  if (messages.length === 0) return [];
  const { owner } = program;
  const end = await conversationEnd(program, info);
  assertNotWritten(end);
  const tree = owner.store.messages(info.id);
  const leafId = end.leafId ?? (await tree.getLatestLeaf())?.id ?? null;
  const { found, rest } = await repeatedBelow(owner, { sessionId: info.id, leafId }, messages);
  const parentId = found.at(-1)?.id ?? leafId;
  const place = { owner, info, parentId, developer: [], rest, isRepeated: false };
  const idPrefix = `${info.id}-${crypto.randomUUID().slice(0, 8)}`;
  const stored = await storeInput(place, idPrefix, { activate: "follow" });
  await endConversationAt(owner, info.id, stored.leafId);
  if (info.name === "")
    await owner.store.sessions.update(info.id, { name: titleOf([...found, ...rest]) });
  const ids = new Set(stored.inputIds);
  const { entries } = await tree.getWindow({
    leafId: stored.leafId,
    limit: ids.size || 1,
    overlays: false,
  });
  return [...found, ...entries.map(({ message }) => message).filter(({ id }) => ids.has(id))];
}

async function pathOf(
  program: Program,
  conversationId: string,
): Promise<Path & { info: SessionInfo }> {
  const info = await requireConversation(program, conversationId);
  const { leafId } = await conversationEnd(program, info);
  return { info, tree: program.owner.store.messages(info.id), leafId };
}

/** @throws {ProgramError} */
export async function listItems(
  program: Program,
  conversationId: string,
  query: URLSearchParams,
): Promise<JsonRecord> {
  return pathPage(await pathOf(program, conversationId), query);
}

/** @throws {ProgramError} 404, also for an item of another conversation. */
export async function findItem(
  program: Program,
  conversationId: string,
  itemId: string,
): Promise<JsonRecord> {
  const found = await itemOn(await pathOf(program, conversationId), itemId);
  return (found ?? refuseItem(itemId)).item;
}

/** Takes an item out of the conversation; a person can restore it. @throws {ProgramError} */
export async function deleteItem(
  program: Program,
  conversationId: string,
  itemId: string,
): Promise<JsonRecord> {
  assertMay(program.key, { writes: true });
  const { owner } = program;
  return inConversation(owner, conversationId, async () => {
    const path = await pathOf(program, conversationId);
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
    return conversationObject(path.info);
  });
}

function refuseItem(itemId: string): never {
  throw programError(
    "not-found",
    `No item of this conversation has the id “${itemId}”.`,
    "item_id",
  );
}
