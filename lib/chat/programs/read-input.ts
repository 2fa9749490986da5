import type { OwnerData } from "@/lib/chat/core/owner-data";
import { messageWithItem } from "./conversation-path";
import { type InputItem, type ItemReference, isCompaction, readItems } from "./items";
import { itemsOf } from "./message-items";
import { programError } from "./program-error";
import { openCompaction } from "./sealed-compaction";

export async function readInput(
  owner: OwnerData,
  input: unknown,
  param = "input",
): Promise<InputItem[]> {
  const items: InputItem[] = [];
  for (const item of readItems(input, param))
    items.push(isReference(item) ? await storedItem(owner, item, param) : item);
  const last = items.findLastIndex(isCompaction);
  const compaction = items[last];
  const held = compaction && isCompaction(compaction) && openCompaction(compaction);
  if (!held || !("items" in held)) return items;
  return [...(await readInput(owner, held.items, param)), ...items.slice(last + 1)];
}

function isReference(item: InputItem | ItemReference): item is ItemReference {
  return !("role" in item) && (item.type ?? "item_reference") === "item_reference";
}

async function storedItem(
  owner: OwnerData,
  { id }: ItemReference,
  param: string,
): Promise<InputItem> {
  const place = await messageWithItem(owner, id);
  const stored = place && itemsOf(place.message).find((item) => item.id === id);
  const [item] = stored ? readItems([stored], param) : [];
  if (item && !isReference(item)) return item;
  throw programError("not-found", `Item with id '${id}' not found.`, param);
}
