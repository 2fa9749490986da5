import type { PlacedItem, TreeItem } from "./tree-items";

/** Which messages the tree panel shows: every one, only the person's, only those with a label, or only pinned ones. */
export type TreeFilter = "all" | "mine" | "labelled" | "pinned";

/**
 * The items that match, each hung under its nearest matching ancestor, so that branches keep their shape.
 *
 * Every word of `query` must occur in the label or the preview, in any order, ignoring case and accents. Compactions are shown only
 * when nothing is filtered.
 */
export function filterItems(
  placed: readonly PlacedItem[],
  filter: TreeFilter,
  query: string,
): PlacedItem[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  if (filter === "all" && words.length === 0) return [...placed];
  const shown = new Set(
    placed.filter(({ item }) => matches(item, filter, words)).map(({ item }) => item.id),
  );
  return keepShown(placed, shown);
}

function matches(item: TreeItem, filter: TreeFilter, words: readonly string[]): boolean {
  if (item.kind === "compaction") return false;
  if (filter === "mine" && item.node.role !== "user") return false;
  if (filter === "labelled" && item.node.label === null) return false;
  if (filter === "pinned" && !item.node.pinned) return false;
  const text = foldText(`${item.node.label ?? ""} ${item.node.preview}`);
  return words.every((word) => text.includes(word));
}

function foldText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function keepShown(placed: readonly PlacedItem[], shown: ReadonlySet<string>): PlacedItem[] {
  const parents = new Map(placed.map(({ item, parentId }) => [item.id, parentId]));
  const nearest = new Map<string, string | null>();
  return placed
    .filter(({ item }) => shown.has(item.id))
    .map(({ item, parentId }) => ({ item, parentId: nearestShown(parentId) }));

  // Walks up at most once per item: every id passed on the way remembers the answer.
  function nearestShown(start: string | null): string | null {
    const passed: string[] = [];
    let current = start;
    while (current !== null && !shown.has(current)) {
      const known = nearest.get(current);
      if (known !== undefined) {
        current = known;
        break;
      }
      passed.push(current);
      current = parents.get(current) ?? null;
    }
    for (const id of passed) nearest.set(id, current);
    return current;
  }
}
