export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export function pageOf<Item>(
  all: readonly Item[],
  { cursor, limit }: { cursor: string | undefined; limit: number },
): ListPage<Item> | null {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) return null;
  const items = all.slice(from, from + limit);
  const next = from + limit;
  return { items, ...(next < all.length && { nextCursor: String(next) }) };
}
