import { groupBy } from "../../session/internal";
import type { TreeNode } from "../../session/ports";
import type { TreeBranchRow, TreeNodeRow } from "./path-rows";

interface Placed {
  readonly branch_id: number;
  readonly pos: number;
}

/** Append order: parents before children. */
export function linkTree(
  branches: readonly TreeBranchRow[],
  rows: readonly TreeNodeRow[],
): TreeNode[] {
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
  const lastAt = rowFinder(branches, rows);
  const branchOf = new Map(branches.map((branch) => [branch.branch_id, branch]));
  let before: Row | null = null;
  return rows.map((row) => {
    const branch = branchOf.get(row.branch_id);
    const isFirst = before?.branch_id !== row.branch_id;
    const parent = isFirst ? lastAt(branch?.parent_branch ?? null, branch?.base ?? 0) : before;
    before = row;
    return { row, parent };
  });
}

/** The last row at or before a place, in its branch or those it hangs on. `rows` as `linkRows`. */
export function rowFinder<Row extends Placed>(
  branches: readonly TreeBranchRow[],
  rows: readonly Row[],
): (branchId: number | null, pos: number) => Row | null {
  const byBranch = groupBy(rows, (row) => row.branch_id);
  const branchOf = new Map(branches.map((branch) => [branch.branch_id, branch]));
  return (branchId, pos) => {
    let upTo = pos;
    for (let at = branchId; at !== null; ) {
      const found = lastUpTo(byBranch.get(at) ?? [], upTo);
      if (found) return found;
      const branch = branchOf.get(at);
      upTo = Math.min(upTo, branch?.base ?? 0);
      at = branch?.parent_branch ?? null;
    }
    return null;
  };
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

function nodeOf(row: TreeNodeRow, parentId: string | null): TreeNode {
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
