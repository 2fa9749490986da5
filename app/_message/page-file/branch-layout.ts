import type { TreeNodeWire } from "@/lib/chat/wire/branches";

export type LaidNode = Pick<TreeNodeWire, "id" | "parentId" | "role" | "preview">;

export interface BranchChain {
  readonly links: readonly ChainLink[];
}

export interface ChainLink {
  readonly node: LaidNode;
  readonly anchor: number;
  /** Anchors of all messages at its place; oldest first. */
  readonly places: readonly number[];
  readonly others: readonly BranchChain[];
}

/**
 * Lays a tree out as nested chains. Beside the path to `leafId` a chain follows the largest subtree, so that nesting
 * stays logarithmic: browsers flatten elements that nest too deep. @param nodes parents before children, siblings
 * oldest first.
 */
export function layOut(nodes: readonly LaidNode[], leafId: string | null): BranchChain {
  const anchors = new Map(nodes.map(({ id }, index) => [id, index + 1]));
  const children = new Map<string | null, LaidNode[]>();
  for (const node of nodes) {
    const known = children.get(node.parentId);
    if (known) known.push(node);
    else children.set(node.parentId, [node]);
  }
  const sizes = sizesOf(nodes);
  for (const { id } of pathTo(nodes, leafId)) sizes.set(id, Number.POSITIVE_INFINITY);
  const sizeOf = ({ id }: LaidNode) => sizes.get(id) ?? 0;
  const anchorOf = ({ id }: LaidNode) => anchors.get(id) ?? 0;

  const chainFrom = (
    first: LaidNode | undefined,
    beside: readonly LaidNode[],
    isMain: boolean,
  ): BranchChain => {
    const links: ChainLink[] = [];
    let places = beside;
    for (let node = first; node; node = largest(places, sizeOf)) {
      // A branch begins beside the chain that it leaves.
      const leaving = isMain || links.length > 0 ? places.filter((other) => other !== node) : [];
      const others: BranchChain[] = [];
      for (const other of leaving) others.push(chainFrom(other, places, false));
      links.push({ node, anchor: anchorOf(node), places: places.map(anchorOf), others });
      places = children.get(node.id) ?? [];
    }
    return { links };
  };
  const roots = children.get(null) ?? [];
  return chainFrom(largest(roots, sizeOf), roots, true);
}

/** Root first; empty for an unknown `leafId`. */
export function pathTo<Node extends Pick<LaidNode, "id" | "parentId">>(
  nodes: readonly Node[],
  leafId: string | null,
): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: Node[] = [];
  for (let id = leafId; id !== null; ) {
    const node = byId.get(id);
    if (!node) break;
    path.push(node);
    id = node.parentId;
  }
  return path.reverse();
}

function sizesOf(nodes: readonly LaidNode[]): Map<string, number> {
  const sizes = new Map(nodes.map(({ id }) => [id, 1]));
  for (const { id, parentId } of nodes.toReversed())
    if (parentId !== null) sizes.set(parentId, (sizes.get(parentId) ?? 0) + (sizes.get(id) ?? 0));
  return sizes;
}

/** The newest of the largest. */
function largest(
  nodes: readonly LaidNode[],
  sizeOf: (node: LaidNode) => number,
): LaidNode | undefined {
  let found: LaidNode | undefined;
  for (const node of nodes) if (!found || sizeOf(node) >= sizeOf(found)) found = node;
  return found;
}
