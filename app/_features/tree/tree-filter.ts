import type { PlacedItem, TreeItem } from "./tree-items";

export type TreeFilter = "all" | "mine" | "bookmarks";

export interface ItemSearch {
  readonly filter: TreeFilter;
  readonly query: string;
  /** Matches in full texts, which are not loaded here. */
  readonly found: ReadonlySet<string>;
}

/**
 * Matching items hang under their nearest matching ancestor; a search also keeps branch points of paths to matches.
 * Every word of `query` must occur in bookmark name or preview, in any order, ignoring case and accents, unless the
 * item is among `found`.
 */
export function filterItems(placed: readonly PlacedItem[], search: ItemSearch): PlacedItem[] {
  const words = foldText(search.query).split(/\s+/).filter(Boolean);
  if (search.filter === "all" && words.length === 0) return [...placed];
  const matching = new Set(
    placed.filter(({ item }) => matches(item, search, words)).map(({ item }) => item.id),
  );
  if (words.length === 0) return keepShown(placed, matching);
  const shown = matching.union(partingItems(placed, matching));
  return keepShown(placed, shown).map((each) =>
    matching.has(each.item.id) ? each : { ...each, isContext: true },
  );
}

function matches(item: TreeItem, { filter, found }: ItemSearch, words: readonly string[]): boolean {
  const isFound = words.length > 0 && found.has(item.id);
  if (item.kind !== "message") return filter === "all" && isFound;
  if (filter === "mine" && item.node.role !== "user") return false;
  if (filter === "bookmarks" && !item.node.pinned) return false;
  if (isFound) return true;
  const text = foldText(`${item.node.label ?? ""} ${item.node.preview}`);
  return words.every((word) => text.includes(word));
}

function partingItems(
  placed: readonly PlacedItem[],
  matching: ReadonlySet<string>,
): ReadonlySet<string> {
  const branchesWithMatches = new Map<string, number>();
  // Children follow their parents, so a backward pass sees descendants first.
  for (const { item, parentId } of placed.toReversed()) {
    const isOnTheWay = matching.has(item.id) || branchesWithMatches.has(item.id);
    if (parentId === null || !isOnTheWay) continue;
    branchesWithMatches.set(parentId, (branchesWithMatches.get(parentId) ?? 0) + 1);
  }
  return new Set([...branchesWithMatches].flatMap(([id, count]) => (count > 1 ? [id] : [])));
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

  // Caching every id on the way visits each item once.
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
