import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import { foldCalls } from "./tree-calls";
import { filterItems, type TreeFilter } from "./tree-filter";
import {
  type CallsItem,
  type PlacedItem,
  type TreeCompaction,
  type TreeItem,
  treeItems,
} from "./tree-items";

/** A conversation that branches at every turn would otherwise need one column per turn. */
const MAX_GUIDES = 8;

export interface ShownTreeRow {
  readonly id: string;
  readonly item: TreeItem;
  readonly indent: number;
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly parentRowId: string | null;
  /** Paths to matches branch here, but the row is not a match itself. */
  readonly isContext: boolean;
  readonly startsBranch: boolean;
  readonly version: TreeVersion | null;
  readonly foldable: boolean;
  readonly folded: boolean;
  readonly hiddenCount: number;
  readonly onActivePath: boolean;
  readonly isActiveLeaf: boolean;
  readonly guides: readonly TreeGuide[];
  readonly joins: { readonly above: TreeGuideTone; readonly below: TreeGuideTone };
}

export interface TreeVersion {
  readonly number: number;
  readonly count: number;
  /** Another version begins with the same words. */
  readonly isAlike: boolean;
}

export interface TreeRowsOptions {
  readonly compactions?: readonly TreeCompaction[];
  /** Rows unlike their default: branches are open, runs of calls folded. */
  readonly folded?: ReadonlySet<string>;
  readonly filter?: TreeFilter;
  readonly query?: string;
  readonly found?: ReadonlySet<string>;
}

/**
 * Rows are indented only at branch points, parents before children, siblings in the order of `nodes`. A run without
 * alternatives is one level: its first row is the others' parent, its last the branches'.
 */
export function treeRows(
  nodes: readonly TreeNodeWire[],
  activeLeafId: string | null,
  options: TreeRowsOptions = {},
): ShownTreeRow[] {
  const { compactions = [], folded = new Set(), filter = "all", query = "" } = options;
  const { found = new Set() } = options;
  const filtered = filterItems(treeItems(nodes, compactions), { filter, query, found });
  const isWhole = filter === "all" && query.trim() === "";
  const placed = isWhole ? foldCalls(filtered, { opened: folded, activeLeafId }) : filtered;
  const tree = buildTree(placed, {
    folded: query.trim() === "" ? folded : new Set(),
    activePath: activePath(nodes, activeLeafId),
    versions: versionsOf(nodes),
    activeLeafId,
  });
  return layOut(tree);
}

interface Tree {
  readonly items: ReadonlyMap<string, TreeItem>;
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  readonly context: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
  readonly activePath: ReadonlySet<string>;
  readonly versions: ReadonlyMap<string, TreeVersion>;
  readonly activeLeafId: string | null;
}

function buildTree(
  placed: readonly PlacedItem[],
  marks: Pick<Tree, "folded" | "activePath" | "activeLeafId" | "versions">,
): Tree {
  const items = new Map(placed.map(({ item }) => [item.id, item]));
  const children = new Map<string | null, string[]>();
  for (const { item, parentId } of placed) {
    const siblings = children.get(parentId);
    if (siblings) siblings.push(item.id);
    else children.set(parentId, [item.id]);
  }
  const context = placed.flatMap(({ item, isContext }) => (isContext ? [item.id] : []));
  return { items, children, context: new Set(context), ...marks };
}

function versionsOf(nodes: readonly TreeNodeWire[]): ReadonlyMap<string, TreeVersion> {
  const versions = new Map<string, TreeVersion>();
  for (const siblings of Map.groupBy(nodes, ({ parentId }) => parentId).values()) {
    if (siblings.length === 1) continue;
    const sizes = Map.groupBy(siblings, ({ preview }) => preview.trim());
    for (const [at, { id, preview }] of siblings.entries()) {
      const isAlike = (sizes.get(preview.trim())?.length ?? 0) > 1;
      versions.set(id, { number: at + 1, count: siblings.length, isAlike });
    }
  }
  return versions;
}

function activePath(
  nodes: readonly TreeNodeWire[],
  activeLeafId: string | null,
): ReadonlySet<string> {
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]));
  const path = new Set<string>();
  let current = activeLeafId;
  while (current !== null && parents.has(current)) {
    path.add(current);
    current = parents.get(current) ?? null;
  }
  return path;
}

type RowPlace = Pick<
  ShownTreeRow,
  "indent" | "level" | "position" | "setSize" | "parentRowId" | "guides"
>;

interface Head extends RowPlace {
  readonly id: string;
  readonly innerGuides: readonly TreeGuide[];
}

// A stack replaces recursion: 10,000 messages are 10,000 deep.
function layOut(tree: Tree): ShownTreeRow[] {
  const rows: ShownTreeRow[] = [];
  const heads = rootHeads(tree);
  for (let head = heads.pop(); head; head = heads.pop()) {
    const stretch = stretchRows(tree, head);
    for (const each of stretch) rows.push(each);
    const last = stretch.at(-1);
    if (last && (!last.folded || last.item.kind === "calls"))
      heads.push(...branchHeads(tree, last, head.innerGuides));
  }
  return rows;
}

function rootHeads(tree: Tree): Head[] {
  const ids = tree.children.get(null) ?? [];
  const place = { indent: 0, level: 1, setSize: ids.length, parentRowId: null };
  return ids
    .map((id, index) => ({ ...place, id, position: index + 1, guides: [], innerGuides: [] }))
    .reverse();
}

function branchHeads(tree: Tree, parent: ShownTreeRow, outer: readonly TreeGuide[]): Head[] {
  const ids = tree.children.get(parent.id) ?? [];
  const activeIndex = ids.findIndex((id) => isActive(tree, id));
  return ids
    .map((id, index) => {
      const { head, inner } = branchGuides({ index, count: ids.length, activeIndex });
      return {
        id,
        indent: parent.indent + 1,
        level: parent.level + 1,
        position: index + 1,
        setSize: ids.length,
        parentRowId: parent.id,
        guides: [...outer, head].slice(-MAX_GUIDES),
        innerGuides: [...outer, inner].slice(-MAX_GUIDES),
      };
    })
    .reverse();
}

function stretchRows(tree: Tree, head: Head): ShownTreeRow[] {
  const first = makeRow(tree, head.id, { ...head, isHead: true });
  if (first.folded) return [first];
  const inner = onlyDescendants(tree, head.id);
  const runs = openedRuns(tree, inner);
  const setSize = inner.filter((id) => !runs.has(id)).length;
  const place = { indent: head.indent, guides: head.innerGuides, isHead: false };
  let position = 0;
  const rows = inner.map((id) => {
    const run = runs.get(id);
    const own = run
      ? { level: head.level + 2, parentRowId: run.id, setSize: run.nodes.length }
      : { level: head.level + 1, parentRowId: head.id, setSize };
    if (!run) position += 1;
    const at = run ? run.nodes.findIndex((node) => node.id === id) + 1 : position;
    return makeRow(tree, id, { ...place, ...own, position: at });
  });
  return [first, ...rows];
}

function openedRuns(tree: Tree, ids: readonly string[]): ReadonlyMap<string, CallsItem> {
  const shown = new Set(ids);
  const runs = new Map<string, CallsItem>();
  for (const id of ids) {
    const item = tree.items.get(id);
    if (item?.kind !== "calls") continue;
    for (const node of item.nodes) if (shown.has(node.id)) runs.set(node.id, item);
  }
  return runs;
}

function onlyDescendants(tree: Tree, id: string): string[] {
  const found: string[] = [];
  let children = tree.children.get(id) ?? [];
  while (children.length === 1) {
    found.push(...children);
    children = tree.children.get(found.at(-1) ?? null) ?? [];
  }
  return found;
}

function makeRow(
  tree: Tree,
  id: string,
  { isHead, indent, level, position, setSize, parentRowId, guides }: RowPlace & { isHead: boolean },
): ShownTreeRow {
  const item = tree.items.get(id);
  if (!item) throw new Error(`The tree has no item "${id}".`);
  const childIds = tree.children.get(id) ?? [];
  const { foldable, folded, hiddenCount } = foldOf(tree, item, { isHead, childIds });
  return {
    id,
    item,
    indent,
    level,
    position,
    setSize,
    parentRowId,
    isContext: tree.context.has(id),
    startsBranch: isHead && setSize > 1,
    version: tree.versions.get(id) ?? null,
    foldable,
    folded,
    hiddenCount,
    onActivePath: isActive(tree, id),
    isActiveLeaf: id === tree.activeLeafId,
    guides,
    joins: {
      above: isHead ? "none" : tone(isActive(tree, id)),
      below:
        childIds.length === 0 || (folded && item.kind !== "calls")
          ? "none"
          : tone(childIds.some((child) => isActive(tree, child))),
    },
  };
}

type Fold = Pick<ShownTreeRow, "foldable" | "folded" | "hiddenCount">;

function foldOf(
  tree: Tree,
  item: TreeItem,
  { isHead, childIds }: { isHead: boolean; childIds: readonly string[] },
): Fold {
  if (item.kind === "calls") {
    const folded = !tree.folded.has(item.id);
    return { foldable: true, folded, hiddenCount: folded ? item.nodes.length : 0 };
  }
  const foldable = isHead ? childIds.length > 0 : childIds.length > 1;
  const folded = foldable && tree.folded.has(item.id);
  return { foldable, folded, hiddenCount: folded ? countUnder(tree, item.id) : 0 };
}

function tone(isActiveLine: boolean): TreeGuideTone {
  return isActiveLine ? "active" : "line";
}

function isActive(tree: Tree, id: string): boolean {
  const item = tree.items.get(id);
  if (item?.kind === "compaction") return tree.activePath.has(item.compaction.toMessageId);
  if (item?.kind === "calls") return tree.activePath.has(item.nodes[0]?.id ?? "");
  return tree.activePath.has(id);
}

function countUnder(tree: Tree, id: string): number {
  let count = 0;
  const waiting = [...(tree.children.get(id) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    waiting.push(...(tree.children.get(next) ?? []));
  }
  return count;
}

export type TreeGuideTone = "none" | "line" | "active";

export interface TreeGuide {
  readonly up: TreeGuideTone;
  readonly down: TreeGuideTone;
  readonly right: TreeGuideTone;
}

/** `activeIndex` may be -1. */
function branchGuides({
  index,
  count,
  activeIndex,
}: {
  index: number;
  count: number;
  activeIndex: number;
}): { head: TreeGuide; inner: TreeGuide } {
  const up = activeIndex >= index ? "active" : "line";
  const down = index === count - 1 ? "none" : activeIndex > index ? "active" : "line";
  const right = activeIndex === index ? "active" : "line";
  return { head: { up, down, right }, inner: { up: down, down, right: "none" } };
}
