import type { TreeNode } from "@/lib/session";
import { groupBy } from "@/lib/session/internal";
import type { TreeBranchRow, TreeRow } from "./path-rows";

interface Placed {
  readonly branch_id: number;
  readonly pos: number;
}

/** Append order: parents before children. */
export function linkTree(branches: readonly TreeBranchRow[], rows: readonly TreeRow[]): TreeNode[] {
  return linkRows(branches, rows)
    .sort((first, second) => first.row.ordinal - second.row.ordinal)
    .map(({ row, parent }) => nodeOf(row, parent?.id ?? null));
}

/**
 * A row's parent is the previous one in its branch, or for the first the last one at or below its base. `rows` are
 * ordered by branch and position.
 */
export function linkRows<Row extends Placed>(
  branches: readonly TreeBranchRow[],
  rows: readonly Row[],
): { row: Row; parent: Row | null }[] {
  const byBranch = groupBy(rows, (row) => row.branch_id);
  const branchOf = new Map(branches.map((branch) => [branch.branch_id, branch]));
  const linked: { row: Row; parent: Row | null }[] = [];
  for (const [branchId, own] of byBranch) {
    let parent = lastAtOrBefore(branchOf.get(branchId));
    for (const row of own) {
      linked.push({ row, parent });
      parent = row;
    }
  }
  return linked;

  function lastAtOrBefore(branch: TreeBranchRow | undefined): Row | null {
    let at = branch;
    let base = at?.base ?? 0;
    while (at?.parent_branch != null) {
      const below = byBranch.get(at.parent_branch);
      const found = below && lastUpTo(below, base);
      if (found) return found;
      at = branchOf.get(at.parent_branch);
      base = Math.min(base, at?.base ?? 0);
    }
    return null;
  }
}

function lastUpTo<Row extends Placed>(rows: readonly Row[], pos: number): Row | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.pos ?? 0) <= pos) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
}

function nodeOf(row: TreeRow, parentId: string | null): TreeNode {
  return {
    id: row.id,
    parentId,
    role: row.role as TreeNode["role"],
    createdAt: row.created_at,
    preview: row.preview,
    pinned: row.pinned,
    label: row.label,
  };
}
