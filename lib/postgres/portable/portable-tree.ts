import type { ListedCompactionRow } from "../tree/compactions";
import { linkRows, rowFinder } from "../tree/link-tree";
import type { TreeBranchRow } from "../tree/path-rows";
import type { PortableBranchRow, PortableMessageRow } from "./portable";

interface Gap {
  readonly isGap: true;
  readonly branch_id: number;
  readonly pos: number;
  readonly id: string;
}

export interface PortableNode {
  readonly row: PortableMessageRow | Gap;
  readonly parentId: string | null;
}

export interface PortableTree {
  /** Append order with the gaps before each; parents before children. */
  readonly nodes: PortableNode[];
  readonly compactions: { row: ListedCompactionRow; fromId: string; toId: string }[];
}

/**
 * Converts branches and positions into ids for another database. A summary's ends decide where it is visible, so
 * deleted ends become gaps; without a surviving successor it is dropped. `rows` are ordered by branch and position.
 */
export function portableTree(
  branches: readonly TreeBranchRow[],
  rows: readonly PortableMessageRow[],
  compactions: readonly ListedCompactionRow[],
): PortableTree {
  const places = new Places(branches, rows);
  const spans = compactions.map((row) => ({
    row,
    from: places.at(row, row.from_pos, row.from_message_id),
    to: places.at(row, row.to_pos, row.to_message_id),
  }));
  const linked = linkRows(branches, places.inOrder());
  const parentOf = new Map(linked.map(({ row, parent }) => [row, parent]));

  const written = new Set<PortableMessageRow | Gap>();
  const nodes: PortableNode[] = [];
  for (const message of rows.toSorted((first, second) => first.ordinal - second.ordinal)) {
    const unwritten: (PortableMessageRow | Gap)[] = [];
    let at: PortableMessageRow | Gap | null = message;
    while (at && !written.has(at) && (at === message || "isGap" in at)) {
      unwritten.unshift(at);
      at = parentOf.get(at) ?? null;
    }
    for (const row of unwritten) {
      written.add(row);
      nodes.push({ row, parentId: parentOf.get(row)?.id ?? null });
    }
  }
  const kept = spans.filter(({ from, to }) => written.has(from) && written.has(to));
  if (kept.length < spans.length)
    return portableTree(
      branches,
      rows,
      kept.map(({ row }) => row),
    );
  return {
    nodes,
    compactions: kept.map(({ row, from, to }) => ({ row, fromId: from.id, toId: to.id })),
  };
}

/** The last used leaf comes last; a leaf may occur twice. */
export function leavesByUse(
  branches: readonly PortableBranchRow[],
  rows: readonly PortableMessageRow[],
): string[] {
  const lastAt = rowFinder(branches, rows);
  return branches
    .filter(({ own }) => own)
    .sort((one, other) => one.touched - other.touched || one.branch_id - other.branch_id)
    .flatMap(({ branch_id, head }) => lastAt(branch_id, head)?.id ?? []);
}

/** The last message at or before a place; `null` position: the end of the branch. */
export function leafAt(
  branches: readonly PortableBranchRow[],
  rows: readonly PortableMessageRow[],
  { branch: branchId, pos }: { branch: number | null; pos: number | null },
): string | null {
  const branch = branches.find((each) => each.branch_id === branchId);
  if (!branch) return null;
  const upTo = Math.min(branch.head, pos ?? branch.head);
  return rowFinder(branches, rows)(branch.branch_id, upTo)?.id ?? null;
}

class Places {
  readonly #rows: readonly PortableMessageRow[];
  readonly #gaps: Gap[] = [];
  readonly #byPlace = new Map<string, PortableMessageRow | Gap>();
  readonly #branches: Map<number, TreeBranchRow>;
  readonly #ids: Set<string>;

  constructor(branches: readonly TreeBranchRow[], rows: readonly PortableMessageRow[]) {
    this.#rows = rows;
    this.#branches = new Map(branches.map((branch) => [branch.branch_id, branch]));
    this.#ids = new Set(rows.map(({ id }) => id));
    for (const row of rows) this.#byPlace.set(placeKey(row.branch_id, row.pos), row);
  }

  at({ branch_id: via }: { branch_id: number }, pos: number, id: string): PortableMessageRow | Gap {
    let branch = this.#branches.get(via);
    while (branch && branch.parent_branch !== null && pos <= branch.base)
      branch = this.#branches.get(branch.parent_branch);
    const branchId = branch?.branch_id ?? via;
    const key = placeKey(branchId, pos);
    const found = this.#byPlace.get(key);
    if (found) return found;
    const gap: Gap = { isGap: true, branch_id: branchId, pos, id: this.#freeId(id) };
    this.#gaps.push(gap);
    this.#byPlace.set(key, gap);
    return gap;
  }

  inOrder(): readonly (PortableMessageRow | Gap)[] {
    if (this.#gaps.length === 0) return this.#rows;
    return [...this.#rows, ...this.#gaps].sort(
      (first, second) => first.branch_id - second.branch_id || first.pos - second.pos,
    );
  }

  /** A fork does not see messages its source had deleted, so their ids may be reused there. */
  #freeId(id: string): string {
    const free = this.#ids.has(id) ? crypto.randomUUID() : id;
    this.#ids.add(free);
    return free;
  }
}

function placeKey(branchId: number, pos: number): string {
  return `${branchId}:${pos}`;
}
