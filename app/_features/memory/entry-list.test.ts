import { expect, test } from "vitest";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { withFiles } from "./entry-list";

const entry = (key: string): EntryDocumentWire => ({
  key,
  title: key,
  description: null,
  content: "x",
  version: 1,
  tokens: 1,
  updatedAt: "2026-01-01T00:00:00Z",
  loaded: false,
  problem: null,
});

test("puts files under their skill and leaves everything else where it is", () => {
  const keys = ["pack", "pack-light", "pack/a.md", "pack/b/c.md", "tea/alone.md"];
  const grouped = withFiles(keys.map(entry));
  expect(grouped.map(({ entry: { key }, files }) => [key, files.map((file) => file.key)])).toEqual([
    ["pack", ["pack/a.md", "pack/b/c.md"]],
    ["pack-light", []],
    ["tea/alone.md", []],
  ]);
});
