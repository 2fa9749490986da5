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

/** One page of the items of a path, without those that summaries hide. @throws {ProgramError} */
export async function pathPage(
  path: Path,
  query: URLSearchParams,
  isListed: (message: StoredMessage) => boolean = () => true,
): Promise<JsonRecord> {
  const { limit, order, after } = readQuery(query, pageQuery);
  const place = after === undefined ? null : await itemOn(path, after);
  if (after !== undefined && !place) throw noItem(after);
  const from = place?.entry.position;
  const batches = order === "asc" ? oldestFirst(path, from) : newestFirst(path, from);
  const found: JsonRecord[] = [];
  let isSkipping = place !== null;
  for await (const messages of batches) {
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

/** Finds an item of a path; `null` when it is elsewhere, or nowhere. */
export async function itemOn(
  { tree, leafId }: Path,
  itemId: string,
): Promise<{ item: JsonRecord; entry: WindowEntry; itemCount: number } | null> {
  for (const messageId of messageIdsOf(itemId)) {
    const message = await tree.getMessage(messageId);
    if (!message) continue;
    const items = itemsOf(message);
    const item = items.find(({ id }) => id === itemId);
    if (!item) continue;
    const [own] = (await tree.getWindow({ leafId: messageId, limit: 1, overlays: false })).entries;
    if (!own) continue;
    const around = { afterPosition: own.position - 1, beforePosition: own.position + 1 };
    const { entries } = await tree.getWindow({ leafId, ...around, limit: 1, overlays: false });
    const [entry] = entries;
    if (entry?.message.id === messageId) return { item, entry, itemCount: items.length };
  }
  return null;
}

const batchSize = 100;

/** From the position `from`, inclusive. */
async function* newestFirst({ tree, leafId }: Path, from?: number): AsyncIterable<StoredMessage[]> {
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
export async function* oldestFirst(
  { tree, leafId }: Path,
  from = 0,
): AsyncIterable<StoredMessage[]> {
  const { entries } = await tree.getWindow({ leafId, limit: 1, overlays: false });
  const last = entries[0]?.position ?? 0;
  for (let start = from; start <= last; start += batchSize) {
    const span = { afterPosition: start - 1, beforePosition: start + batchSize };
    const window = { leafId, ...span, limit: batchSize, overlays: false };
    yield (await tree.getWindow(window)).entries.map(({ message }) => message);
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
