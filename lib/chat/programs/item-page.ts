import { z } from "zod";
import type { SessionTreeProvider, StoredMessage, WindowEntry } from "@/lib/session";
import { itemsOf, messageIdsOf } from "./message-items";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  after: z.string().optional(),
});

/** One page of a list, `items` oldest first. @throws {ProgramError} */
export function pageOf(items: readonly JsonRecord[], query: URLSearchParams): JsonRecord {
  const { limit, order, after } = readQuery(query, pageQuery);
  const ordered = order === "asc" ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noItem(after);
  return listOf(ordered.slice(start), limit);
}

/** A path of a tree, from its root to a leaf. */
export interface Path {
  readonly tree: SessionTreeProvider;
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
}

interface ListedPath extends Path {
  /** That of the item after which the page begins. Default: reads it. */
  readonly place?: Promise<Place | null> | undefined;
  /** Asked for when nothing is found at `leafId`. */
  readonly otherLeafId?: () => Promise<string | undefined>;
}

/** One page of the items of a path, without those that summaries hide. @throws {ProgramError} */
export async function pathPage(
  path: ListedPath,
  query: URLSearchParams,
  isListed: (message: StoredMessage) => boolean = () => true,
): Promise<JsonRecord> {
  const { tree, leafId } = path;
  const { limit, order, after } = readQuery(query, pageQuery);
  const place = after === undefined ? null : await (path.place ?? placeOf(tree, after));
  if (after !== undefined && !place) throw noItem(after);
  const batches = { tree, leafId, from: place?.position, batchSize: limit + 2 };
  const found: JsonRecord[] = [];
  let isSkipping = place !== null;
  let isFirst = true;
  for await (const messages of order === "asc" ? oldestFirst(batches) : newestFirst(batches)) {
    if (isFirst && messages.length === 0 && path.otherLeafId) {
      const otherId = await path.otherLeafId();
      if (otherId !== leafId) return pathPage({ tree, leafId: otherId }, query, isListed);
    }
    // The place is on another path.
    if (isFirst && place && messages[0]?.id !== place.messageId) throw noItem(after ?? "");
    isFirst = false;
    for (const message of messages.filter(isListed)) {
      const items = order === "asc" ? itemsOf(message) : itemsOf(message).reverse();
      for (const item of items) {
        if (!isSkipping) found.push(item);
        else if (item.id === after) isSkipping = false;
      }
    }
    if (found.length > limit) break;
  }
  return listOf(found, limit);
}

interface Place {
  readonly messageId: string;
  readonly position: number;
}

/** The message of an item, wherever it is; `null` when there is none. */
export async function placeOf(tree: SessionTreeProvider, itemId: string): Promise<Place | null> {
  for (const messageId of messageIdsOf(itemId)) {
    const own = { leafId: messageId, limit: 1, overlays: false };
    const [entry] = (await tree.getWindow(own)).entries;
    if (entry?.message.id !== messageId) continue;
    if (itemsOf(entry.message).some(({ id }) => id === itemId))
      return { messageId, position: entry.position };
  }
  return null;
}

/** Finds an item of a path; `null` when it is elsewhere, or nowhere. */
export async function itemOn(
  { tree, leafId }: Path,
  itemId: string,
): Promise<{ item: JsonRecord; entry: WindowEntry; itemCount: number } | null> {
  const place = await placeOf(tree, itemId);
  if (!place) return null;
  const { messageId, position } = place;
  const around = { afterPosition: position - 1, beforePosition: position + 1 };
  const { entries } = await tree.getWindow({ leafId, ...around, limit: 1, overlays: false });
  const [entry] = entries;
  if (entry?.message.id !== messageId) return null;
  const items = itemsOf(entry.message);
  const item = items.find(({ id }) => id === itemId);
  return item ? { item, entry, itemCount: items.length } : null;
}

interface Batches extends Path {
  /** Position of the first message, inclusive. */
  readonly from?: number | undefined;
  readonly batchSize?: number;
}

const usualBatch = 100;

async function* newestFirst(batches: Batches): AsyncIterable<StoredMessage[]> {
  const { tree, leafId, from, batchSize = usualBatch } = batches;
  let beforePosition = from === undefined ? undefined : from + 1;
  for (;;) {
    const window = { leafId, beforePosition, limit: batchSize, overlays: false };
    const { entries, hasMore } = await tree.getWindow(window);
    yield entries.map(({ message }) => message).reverse();
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return;
  }
}

/** Reads stretches of positions, since a window is the newest of its span. */
export async function* oldestFirst(batches: Batches): AsyncIterable<StoredMessage[]> {
  const { tree, leafId, from = 0, batchSize = usualBatch } = batches;
  let last: number | undefined;
  for (let start = from; last === undefined || start <= last; start += batchSize) {
    const span = { afterPosition: start - 1, beforePosition: start + batchSize };
    const window = { leafId, ...span, limit: batchSize, overlays: false };
    yield (await tree.getWindow(window)).entries.map(({ message }) => message);
    last ??=
      (await tree.getWindow({ leafId, limit: 1, overlays: false })).entries[0]?.position ?? 0;
  }
}

function listOf(ordered: readonly JsonRecord[], limit: number): JsonRecord {
  const data = ordered.slice(0, limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? "",
    last_id: data.at(-1)?.id ?? "",
    has_more: ordered.length > limit,
  };
}

function noItem(itemId: string): Error {
  return programError("not-found", `No item has the id “${itemId}”.`, "after");
}

/** @throws {ProgramError} naming the parameter. */
export function readQuery<Schema extends z.ZodType>(
  query: URLSearchParams,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(Object.fromEntries(query));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = issue?.path.join(".") ?? "";
  throw programError("invalid", `“${param}” is invalid: ${issue?.message}.`, param);
}
