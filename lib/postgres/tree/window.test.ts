import { describe, expect, test } from "vitest";
import type { WindowRow } from "./window";
import { windowFromRows } from "./window";

const message = (id: string, position: number, change: Partial<WindowRow> = {}): WindowRow => ({
  position,
  id,
  role: "user",
  created_at: new Date(0),
  pinned: false,
  label: null,
  content: JSON.stringify({ parts: [{ type: "text", text: id }], metadata: { n: position } }),
  parent_id: null,
  sibling_ids: null,
  summarized: null,
  leaf_id: null,
  ...change,
});

describe("windowFromRows", () => {
  test("turns lines root-most first and says whether there are more", () => {
    const rows = [message("c", 3), message("b", 2), message("a", 1)];
    const window = windowFromRows(rows, { limit: 2, leafId: "c" });
    expect(window.entries.map((entry) => entry.message.id)).toEqual(["b", "c"]);
    expect(window).toMatchObject({ leafId: "c", hasMore: true });
    expect(windowFromRows(rows, { limit: 3, leafId: "c" }).hasMore).toBe(false);
  });

  test("gives a message as it was stored", () => {
    const [entry] = windowFromRows([message("a", 1, { pinned: true })], {
      limit: 1,
      leafId: "a",
    }).entries;
    expect(entry).toEqual({
      message: {
        id: "a",
        role: "user",
        parts: [{ type: "text", text: "a" }],
        metadata: { n: 1 },
        createdAt: new Date(0),
      },
      parentId: null,
      siblings: { index: 0, count: 1, previousId: null, nextId: null },
      pinned: true,
      label: null,
      position: 1,
    });
  });

  test("places a message among its alternatives", () => {
    const rows = [message("b", 2, { parent_id: "q", sibling_ids: ["a", "b", "c"] })];
    const [entry] = windowFromRows(rows, { limit: 1, leafId: "b" }).entries;
    expect(entry?.siblings).toEqual({ index: 1, count: 3, previousId: "a", nextId: "c" });
  });

  test("hangs a message without alternatives under the line before it, and a root under none", () => {
    const rows = [message("b", 2), message("a", 1, { sibling_ids: ["a"] })];
    const { entries } = windowFromRows(rows, { limit: 2, leafId: "b" });
    expect(entries.map((entry) => entry.parentId)).toEqual([null, "a"]);
  });

  test("shows a summary as a message of its own, where the first it covers stands", () => {
    const summary = message("compaction_x", 0.5, {
      content: "In short",
      summarized: {
        from: "b",
        to: "d",
        count: 3,
        metadata: { tokensBefore: 9 },
      },
      sibling_ids: ["a", "b"],
    });
    const [entry] = windowFromRows([summary], { limit: 1, leafId: "e" }).entries;
    expect(entry?.message.id).toBe("compaction_x");
    expect(JSON.stringify(entry?.message.parts)).toContain("In short");
    expect(entry?.compaction).toEqual({
      id: "x",
      summary: "In short",
      fromMessageId: "b",
      toMessageId: "d",
      createdAt: new Date(0),
      metadata: { tokensBefore: 9 },
      messageCount: 3,
    });
    expect(entry?.siblings).toEqual({ index: 1, count: 2, previousId: "a", nextId: null });
  });

  test("of no lines is empty", () => {
    expect(windowFromRows([], { limit: 5, leafId: null })).toEqual({
      entries: [],
      leafId: null,
      hasMore: false,
    });
  });
});
