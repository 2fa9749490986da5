import { MessageNotFoundError, type TreeNode } from "@/lib/session";

/** Root-most first. */
export interface Parting {
  /** `null` when they share nothing. */
  readonly ancestorId: string | null;
  readonly leftIds: readonly string[];
  readonly rightIds: readonly string[];
}

/**
 * `null` is the path before the first message; an ancestor has nothing on its side.
 *
 * @throws {MessageNotFoundError} for a message that is not among `nodes`.
 */
export function divergence(
  nodes: readonly Pick<TreeNode, "id" | "parentId">[],
  left: string | null,
  right: string | null,
): Parting {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const leftPath = pathTo(parents, left);
  const rightPath = pathTo(parents, right);
  const firstOwn = leftPath.findIndex((id, index) => id !== rightPath[index]);
  const shared = firstOwn === -1 ? leftPath.length : firstOwn;
  return {
    ancestorId: leftPath[shared - 1] ?? null,
    leftIds: leftPath.slice(shared),
    rightIds: rightPath.slice(shared),
  };
}

function pathTo(parents: ReadonlyMap<string, string | null>, leafId: string | null): string[] {
  const path: string[] = [];
  let current = leafId;
  while (current !== null) {
    const parentId = parents.get(current);
    if (parentId === undefined) throw new MessageNotFoundError(current);
    path.push(current);
    current = parentId;
  }
  return path.reverse();
}
