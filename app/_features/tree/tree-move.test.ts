import { describe, expect, test } from "vitest";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import { treeMove } from "./tree-move";
import { treeRows } from "./tree-rows";

function node(id: string, parentId: string | null): TreeNodeWire {
  return {
    id,
    parentId,
    role: "user",
    preview: id,
    pinned: false,
    label: null,
    createdAt: "2026-01-01T00:00:00Z",
  };
}

const nodes = [
  node("q1", null),
  node("a1", "q1"),
  node("q2", "a1"),
  node("a2", "q2"),
  node("q3", "a1"),
];
const rows = treeRows(nodes, "q3");
const foldedRows = treeRows(nodes, "q3", { folded: new Set(["a1"]) });

describe("treeMove", () => {
  test.each([
    ["ArrowDown", "q1", "a1"],
    ["ArrowUp", "a1", "q1"],
    ["Home", "q3", "q1"],
    ["End", "q1", "q3"],
    ["PageDown", "q1", "q3"],
    ["PageUp", "q3", "q1"],
    ["ArrowLeft", "a2", "q2"],
    ["ArrowRight", "a1", "q2"],
  ])("%s moves from %s to %s", (key, from, to) => {
    expect(treeMove(rows, from, key)).toEqual({ kind: "focus", rowId: to });
  });

  test("left folds what is open, then goes to the parent", () => {
    expect(treeMove(rows, "a1", "ArrowLeft")).toEqual({ kind: "fold", rowId: "a1" });
    expect(treeMove(foldedRows, "a1", "ArrowLeft")).toEqual({ kind: "focus", rowId: "q1" });
  });

  test("right opens what is folded", () => {
    expect(treeMove(foldedRows, "a1", "ArrowRight")).toEqual({ kind: "unfold", rowId: "a1" });
  });

  test("stops at the ends and ignores other keys", () => {
    expect(treeMove(rows, "q1", "ArrowUp")).toBeNull();
    expect(treeMove(rows, "q3", "ArrowDown")).toBeNull();
    expect(treeMove(rows, "q3", "ArrowRight")).toBeNull();
    expect(treeMove(rows, "q1", "x")).toBeNull();
  });

  test("starts at the first row when the focused one is gone", () => {
    expect(treeMove(rows, "gone", "ArrowDown")).toEqual({ kind: "focus", rowId: "q1" });
    expect(treeMove([], null, "ArrowDown")).toBeNull();
  });
});
