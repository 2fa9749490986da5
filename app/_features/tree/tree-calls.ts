import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { CallsItem, PlacedItem } from "./tree-items";

export interface CallsOptions {
  readonly opened: ReadonlySet<string>;
  readonly activeLeafId: string | null;
}

const fewestFolded = 3;

export function foldCalls(
  placed: readonly PlacedItem[],
  { opened, activeLeafId }: CallsOptions,
): PlacedItem[] {
  const children = Map.groupBy(placed, ({ parentId }) => parentId);
  const inRun = new Set(
    placed.filter((each) => isInRun(each, children, activeLeafId)).map(({ item }) => item.id),
  );
  const runs = runsOf(placed, inRun);
  const movedTo = new Map<string, string>();
  return placed.flatMap((each): PlacedItem[] => {
    const parentId = each.parentId && (movedTo.get(each.parentId) ?? each.parentId);
    const run = runs.get(each.item.id);
    if (!run) return [{ ...each, parentId }];
    const isOpen = opened.has(run.id);
    if (!isOpen) movedTo.set(each.item.id, run.id);
    const isFirst = run.nodes[0]?.id === each.item.id;
    const head = isFirst ? [{ item: run, parentId }] : [];
    const own = isOpen ? [{ ...each, parentId: isFirst ? run.id : parentId }] : [];
    return [...head, ...own];
  });
}

/** A place where paths part, or where the reader is, stays visible. */
function isInRun(
  { item, parentId }: PlacedItem,
  children: ReadonlyMap<string | null, readonly PlacedItem[]>,
  activeLeafId: string | null,
): boolean {
  if (item.kind !== "message" || parentId === null || item.id === activeLeafId) return false;
  const { role, preview, pinned } = item.node;
  const isSilent = role === "assistant" && preview.trim() === "" && !pinned;
  const isOnlyChild = children.get(parentId)?.length === 1;
  return isSilent && isOnlyChild && (children.get(item.id)?.length ?? 0) <= 1;
}

function runsOf(placed: readonly PlacedItem[], inRun: ReadonlySet<string>): Map<string, CallsItem> {
  const nodesOf = new Map<string, TreeNodeWire[]>();
  for (const { item, parentId } of placed) {
    if (item.kind !== "message" || !inRun.has(item.id)) continue;
    const nodes = (parentId !== null && nodesOf.get(parentId)) || [];
    nodes.push(item.node);
    nodesOf.set(item.id, nodes);
  }
  const runs = new Map<string, CallsItem>();
  for (const nodes of new Set(nodesOf.values())) {
    const [first] = nodes;
    if (!first || nodes.length < fewestFolded) continue;
    const run: CallsItem = { kind: "calls", id: `calls_${first.id}`, nodes };
    for (const { id } of nodes) runs.set(id, run);
  }
  return runs;
}
