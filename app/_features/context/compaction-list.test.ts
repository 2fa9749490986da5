import { expect, test } from "vitest";
import type { TreeNodeWire, TreeWire } from "@/lib/chat/wire/branches";
import { pathCompactions } from "./compaction-list";

function node(id: string, parentId: string | null): TreeNodeWire {
  return {
    id,
    parentId,
    role: "user",
    preview: `about ${id}`,
    pinned: false,
    label: null,
    createdAt: "2026-01-01T00:00:00Z",
  };
}

const tree: TreeWire = {
  nodes: [node("a", null), node("b", "a"), node("c", "b"), node("d", "c"), node("side", "a")],
  activeLeafId: "d",
  compactions: [
    { id: "small", fromMessageId: "b", toMessageId: "b" },
    { id: "large", fromMessageId: "b", toMessageId: "c" },
    { id: "elsewhere", fromMessageId: "a", toMessageId: "side" },
  ],
};

test("numbers what lies on the path and says what a later one covers", () => {
  expect(pathCompactions(tree, "d")).toEqual([
    { id: "small", first: 2, last: 2, preview: "about b", isCovered: true },
    { id: "large", first: 2, last: 3, preview: "about b", isCovered: false },
  ]);
});

test("leaves out a compaction that ends beyond the leaf or on another branch", () => {
  expect(pathCompactions(tree, "b").map(({ id }) => id)).toEqual(["small"]);
  expect(pathCompactions(tree, "side").map(({ id }) => id)).toEqual(["elsewhere"]);
  expect(pathCompactions(tree, null)).toEqual([]);
});
