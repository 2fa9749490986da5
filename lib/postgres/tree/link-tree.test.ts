import { describe, expect, test } from "vitest";
import { linkTree } from "./link-tree";
import type { TreeBranchRow, TreeNodeRow } from "./path-rows";

const branch = (
  branch_id: number,
  parent_branch: number | null = null,
  base = 0,
): TreeBranchRow => ({
  branch_id,
  parent_branch,
  base,
});

const row = (id: string, branch_id: number, pos: number, ordinal: number): TreeNodeRow => ({
  branch_id,
  pos,
  id,
  ordinal,
  role: "user",
  created_at: new Date(0),
  preview: id,
  pinned: false,
  label: null,
});

const parents = (branches: TreeBranchRow[], rows: TreeNodeRow[]) =>
  linkTree(branches, rows).map(({ id, parentId }) => [id, parentId]);

describe("linkTree", () => {
  test("hangs each message under the one before it in its branch", () => {
    expect(parents([branch(1)], [row("a", 1, 1, 1), row("b", 1, 2, 2)])).toEqual([
      ["a", null],
      ["b", "a"],
    ]);
  });

  test("hangs the first of a branch where the branch leaves its parent", () => {
    const rows = [row("a", 1, 1, 1), row("b", 1, 2, 2), row("c", 1, 3, 3), row("d", 2, 3, 4)];
    expect(parents([branch(1), branch(2, 1, 2)], rows)).toEqual([
      ["a", null],
      ["b", "a"],
      ["c", "b"],
      ["d", "b"],
    ]);
  });

  test("closes over what was deleted, in the branch and where it leaves", () => {
    const rows = [row("a", 1, 1, 1), row("c", 1, 4, 3), row("d", 2, 4, 4)];
    expect(parents([branch(1), branch(2, 1, 3)], rows)).toEqual([
      ["a", null],
      ["c", "a"],
      ["d", "a"],
    ]);
  });

  test("goes through branches of which nothing is left", () => {
    const branches = [branch(1), branch(2, 1, 1), branch(3, 2, 2)];
    expect(parents(branches, [row("a", 1, 1, 1), row("d", 3, 3, 4)])).toEqual([
      ["a", null],
      ["d", "a"],
    ]);
  });

  test("never hangs a message under what came after the branch left", () => {
    const branches = [branch(1), branch(2, 1, 1), branch(3, 2, 4)];
    const rows = [row("a", 1, 1, 1), row("later", 1, 3, 2), row("d", 3, 5, 4)];
    expect(parents(branches, rows)).toContainEqual(["d", "a"]);
  });

  test("makes a root of a branch without a parent, and of one whose parent is empty", () => {
    const branches = [branch(1), branch(2), branch(3, 2, 1)];
    expect(parents(branches, [row("a", 1, 1, 1), row("b", 3, 2, 2)])).toEqual([
      ["a", null],
      ["b", null],
    ]);
  });

  test("gives parents before children and siblings oldest first, whatever the numbers of their branches", () => {
    const branches = [branch(9), branch(2, 9, 1), branch(5, 9, 1)];
    const rows = [row("third", 2, 2, 3), row("second", 5, 2, 2), row("first", 9, 1, 1)];
    expect(parents(branches, rows).map(([id]) => id)).toEqual(["first", "second", "third"]);
  });

  test("of nothing is empty", () => {
    expect(linkTree([], [])).toEqual([]);
  });
});
