import type { z } from "zod";

export interface ItemsRead<Item> {
  readonly items: readonly Item[];
  readonly unreadable: number;
  readonly over: number;
}

/** A bad entry costs itself alone; of several with one key the first is taken. */
export function readItems<Item>(
  list: readonly unknown[],
  { item, keyOf, most }: { item: z.ZodType<Item>; keyOf: (item: Item) => string; most: number },
): ItemsRead<Item> {
  const items = new Map<string, Item>();
  let unreadable = 0;
  let over = 0;
  for (const entry of list) {
    const { success, data } = item.safeParse(entry);
    if (!success) unreadable += 1;
    else if (items.has(keyOf(data))) continue;
    else if (items.size >= most) over += 1;
    else items.set(keyOf(data), data);
  }
  return { items: [...items.values()], unreadable, over };
}
