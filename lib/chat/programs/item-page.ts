import type { SessionTreeProvider, StoredMessage } from "grove-session";
import type { WindowEntry } from "grove-session/ports";
import { z } from "zod";
import { itemsOf, messageIdsOf } from "./message-items";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  after: z.string().optional(),
});

export function pageOf(items: readonly JsonRecord[], query: URLSearchParams): JsonRecord {
  const { limit, order, after } = readQuery(query, pageQuery);
  const ordered = order === "asc" ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noItem(after);
  return listOf(ordered.slice(start), limit);
}

export interface Path {
  readonly tree: SessionTreeProvider;
  readonly leafId?: string | undefined;
}

export interface ListedPath extends Path {
  readonly place?: Promise<PathPosition | null> | undefined;
  readonly otherLeafId?: () => Promise<string | undefined>;
  /** Called with the last item of a page that another follows. */
  readonly onMore?: (itemId: string, place: PathPosition) => void;
}

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
  const found: (PathPosition & { readonly item: JsonRecord })[] = [];
  let isSkipping = place !== null;
  let isFirst = true;
  for await (const entries of order === "asc" ? oldestFirst(batches) : newestFirst(batches)) {
    if (isFirst && entries.length === 0 && path.otherLeafId) {
      const otherId = await path.otherLeafId();
      if (otherId !== leafId) return pathPage({ tree, leafId: otherId }, query, isListed);
    }
    if (isFirst && place && entries[0]?.message.id !== place.messageId) throw noItem(after ?? "");
    isFirst = false;
    for (const { message, position } of entries.filter(({ message }) => isListed(message))) {
      const items = order === "asc" ? itemsOf(message) : itemsOf(message).reverse();
      for (const item of items) {
        if (!isSkipping) found.push({ item, messageId: message.id, position });
        else if (item.id === after) isSkipping = false;
      }
    }
    // The message of a kept place may have lost the item since.
    if (isSkipping) throw noItem(after ?? "");
    if (found.length > limit) break;
  }
  const items = found.map(({ item }) => item);
  const last = found.length > limit ? found[limit - 1] : undefined;
  if (last) path.onMore?.(String(last.item.id), last);
  return listOf(items, limit);
}

export interface PathPosition {
  readonly messageId: string;
  readonly position: number;
}

export async function placeOf(
  tree: SessionTreeProvider,
  itemId: string,
): Promise<PathPosition | null> {
  for (const messageId of messageIdsOf(itemId)) {
    const own = { leafId: messageId, limit: 1, overlays: false, siblings: false };
    const [entry] = (await tree.getWindow(own)).entries;
    if (entry?.message.id !== messageId) continue;
    if (itemsOf(entry.message).some(({ id }) => id === itemId))
      return { messageId, position: entry.position };
  }
  return null;
}

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
  readonly from?: number | undefined;
  readonly batchSize?: number;
}

const usualBatch = 100;

async function* newestFirst(batches: Batches): AsyncIterable<readonly WindowEntry[]> {
  const { tree, leafId, from, batchSize = usualBatch } = batches;
  let beforePosition = from === undefined ? undefined : from + 1;
  for (;;) {
    const window = { leafId, beforePosition, limit: batchSize, overlays: false, siblings: false };
    const { entries, hasMore } = await tree.getWindow(window);
    yield entries.toReversed();
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return;
  }
}

export async function* oldestFirst(batches: Batches): AsyncIterable<readonly WindowEntry[]> {
  const { tree, leafId, from = 1, batchSize: limit = usualBatch } = batches;
  let afterPosition = from - 1;
  let isLong = batches.from !== undefined;
  for (let hasMore = true; hasMore; ) {
    const common = { leafId, afterPosition, limit, overlays: false, siblings: false };
    // A range of as many positions as messages skips the count of the deleted ones between them.
    const beforePosition = afterPosition + limit + 1;
    const near = isLong ? await tree.getWindow({ ...common, beforePosition }) : null;
    const isWhole = near?.entries.length === limit;
    const page = near && isWhole ? near : await tree.getWindow({ ...common, oldest: true });
    isLong = true;
    yield page.entries;
    afterPosition = page.entries.at(-1)?.position ?? afterPosition;
    hasMore = isWhole || page.hasMore;
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
