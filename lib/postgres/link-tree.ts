import type { TreeNode } from "@/lib/session";
import type { TreeBranchRow, TreeRow } from "./queries/path-rows";

/**
 * Parents from positions: a message hangs under the one before it in its branch, the first of a branch under the last
 * one at or below the branch's base, in whichever branch that lies. Nodes come in order of appending: parents before
 * children, siblings oldest first.
 *
 * `rows` are ordered by branch and position.
 */
export function linkTree(branches: readonly TreeBranchRow[], rows: readonly TreeRow[]): TreeNode[] {
  const byBranch = Map.groupBy(rows, (row) => row.branch_id);
  const branchOf = new Map(branches.map((branch) => [branch.branch_id, branch]));
  const linked: { row: TreeRow; parentId: string | null }[] = [];
  for (const [branchId, own] of byBranch) {
    let parentId = lastAtOrBefore(branchOf.get(branchId));
    for (const row of own) {
      linked.push({ row, parentId });
      parentId = row.id;
    }
  }
  return linked
    .sort((first, second) => first.row.ordinal - second.row.ordinal)
    .map(({ row, parentId }) => nodeOf(row, parentId));

  function lastAtOrBefore(branch: TreeBranchRow | undefined): string | null {
    let at = branch;
    let base = at?.base ?? 0;
    while (at?.parent_branch != null) {
      const below = byBranch.get(at.parent_branch);
      const found = below && lastUpTo(below, base);
      if (found) return found.id;
      at = branchOf.get(at.parent_branch);
      base = Math.min(base, at?.base ?? 0);
    }
    return null;
  }
}

/** The last row at or before a position, by binary search. */
function lastUpTo(rows: readonly TreeRow[], pos: number): TreeRow | undefined {
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
