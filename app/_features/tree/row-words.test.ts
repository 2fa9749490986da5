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

  test("says the label, which is also shown", () => {
    expect(words({ label: "good start" })).toMatchObject({
      label: "good start",
      name: "You, labelled: good start Hello",
    });
  });

  test("says what is pinned and where the reader is", () => {
    expect(words({ pinned: true }, "m")?.name).toBe("You: Hello, pinned, you are here");
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
});
