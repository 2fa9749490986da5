import { describe, expect, test } from "vitest";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import { rowWords } from "./tree-row-line";
import { treeRows } from "./tree-rows";

function words(change: Partial<TreeNodeWire>, leafId: string | null = null) {
  const node: TreeNodeWire = {
    id: "m",
    parentId: null,
    role: "user",
    preview: "Hello",
    pinned: false,
    label: null,
    createdAt: "2026-01-01T00:00:00Z",
    ...change,
  };
  return treeRows([node], leafId).map((row) => rowWords(row))[0];
}

describe("rowWords", () => {
  test("says who speaks", () => {
    expect(words({})).toEqual({
      text: "Hello",
      label: null,
      look: "mine",
      name: "You: Hello",
    });
    expect(words({ role: "assistant" })).toMatchObject({ look: "answer", name: "Answer: Hello" });
  });

  test("says that an answer without text only called tools", () => {
    expect(words({ role: "assistant", preview: " " })).toMatchObject({
      text: "Tool call",
      look: "quiet",
    });
  });

  test("says the name of a bookmark, which is also shown", () => {
    expect(words({ pinned: true, label: "good start" })).toMatchObject({
      label: "good start",
      name: "You, bookmarked: good start Hello",
    });
  });

  test("says what is bookmarked and where the reader is", () => {
    expect(words({ pinned: true }, "m")?.name).toBe("You, bookmarked: Hello, you are here");
  });

  test("says what a compaction stands for and what a fold hides", () => {
    const nodes: TreeNodeWire[] = ["a", "b"].map((id, at) => ({
      id,
      parentId: at === 0 ? null : "a",
      role: "user",
      preview: id,
      pinned: false,
      label: null,
      createdAt: "2026-01-01T00:00:00Z",
    }));
    const compactions = [{ id: "c", fromMessageId: "a", toMessageId: "b" }];
    expect(treeRows(nodes, null, { compactions }).map((row) => rowWords(row).name)).toEqual([
      "You: a",
      "You: b",
      "Summary of 2 messages",
    ]);
    const folded = treeRows(nodes, null, { compactions, folded: new Set(["a"]) });
    expect(folded.map((row) => rowWords(row).name)).toEqual(["You: a, 2 rows collapsed"]);
  });

  test("numbers versions as the chat does, also those a filter hides, and tells alike ones", () => {
    const version = (id: string, preview: string, parentId: string | null = "q") => ({
      id,
      parentId,
      role: "user" as const,
      preview,
      pinned: id === "c",
      label: null,
      createdAt: "2026-01-01T00:00:00Z",
    });
    const nodes = [
      version("q", "Ask", null),
      version("a", "By train"),
      version("b", "By boat"),
      version("c", "By train"),
    ];
    const rows = treeRows(nodes, null, { filter: "bookmarks" }).filter(({ id }) => id === "c");
    expect(rows.map(({ version }) => version)).toEqual([{ number: 3, count: 3, isAlike: true }]);
    expect(treeRows(nodes, null).map((row) => rowWords(row).name)).toEqual([
      "You: Ask",
      "You: By train, version 1 of 3",
      "You: By boat, version 2 of 3",
      "You, bookmarked: By train, version 3 of 3",
    ]);
  });
});
