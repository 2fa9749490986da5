import type { Siblings, TranscriptWindow, WindowEntry, WindowOptions } from "../session-provider";
import { childrenByParent, liveRecord, survivingParent } from "./paths";
import type { SessionTree, TreeRecord } from "./session-tree";
import { entryMessage, type PathEntry, storedPath, visiblePath } from "./visible-path";

const defaultLimit = 50;
const none: Siblings = { index: 0, count: 1, previousId: null, nextId: null };

export function isAlone({ overlays, siblings }: WindowOptions): boolean {
  return overlays === false && siblings === false;
}

export function windowOf(tree: SessionTree, options: WindowOptions = {}): TranscriptWindow {
  const leafId = liveRecord(tree, options.leafId ?? tree.activeLeafId)?.body.id ?? null;
  const path = options.overlays === false ? storedPath(tree, leafId) : visiblePath(tree, leafId);
  const { beforePosition = Number.POSITIVE_INFINITY, afterPosition = Number.NEGATIVE_INFINITY } =
    options;
  const inRange = path.filter(
    ({ position }) => position < beforePosition && position > afterPosition,
  );
  const limit = options.limit ?? defaultLimit;
  const shown = options.oldest ? inRange.slice(0, limit) : newest(inRange, limit);
  const children = childrenByParent(tree);
  return {
    entries: shown.map((entry) => {
      const found = windowEntry(tree, children, entry);
      return isAlone(options) ? { ...found, siblings: none } : found;
    }),
    leafId,
    hasMore: shown.length < inRange.length,
  };
}

function newest<T>(items: readonly T[], limit: number): T[] {
  return items.slice(Math.max(0, items.length - limit));
}

function windowEntry(
  tree: SessionTree,
  children: ReadonlyMap<string | null, readonly TreeRecord[]>,
  entry: PathEntry,
): WindowEntry {
  const first = entry.kind === "message" ? entry.record : entry.overlay.covered[0]?.record;
  const parentId = (first && survivingParent(tree, first)?.body.id) ?? null;
  return {
    message: entryMessage(entry),
    parentId,
    siblings: siblingsOf(children.get(parentId) ?? [], first?.body.id),
    pinned: entry.kind === "message" && entry.record.pinned,
    label: entry.kind === "message" ? entry.record.label : null,
    position: entry.position,
    ...(entry.kind === "summary" && {
      compaction: { ...entry.overlay.compaction, messageCount: entry.overlay.covered.length },
    }),
  };
}

function siblingsOf(siblings: readonly TreeRecord[], id: string | undefined): Siblings {
  const index = siblings.findIndex((record) => record.body.id === id);
  return {
    index,
    count: siblings.length,
    previousId: siblings[index - 1]?.body.id ?? null,
    nextId: siblings[index + 1]?.body.id ?? null,
  };
}
