import { expect, test } from "vitest";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { memoryGroups } from "./block-kinds";

function block(label: string, change: Partial<BlockWire>): BlockWire {
  return {
    id: label,
    label,
    description: null,
    note: "",
    kind: "writable",
    scope: "owner",
    writers: "both",
    isOwn: false,
    origin: null,
    content: "",
    version: 1,
    tokens: 0,
    maxTokens: null,
    entryCount: null,
    error: null,
    ...change,
  };
}

test("puts each block where its kind and its writers belong, in the order they come", () => {
  const groups = memoryGroups([
    block("soul", { writers: "person" }),
    block("memory", {}),
    block("todos", { scope: "session" }),
    block("knowledge", { kind: "searchable" }),
    block("skills", { kind: "loadable" }),
    block("rules", { kind: "readonly", writers: "person" }),
  ]);
  const labels = Object.values(groups).map((blocks: readonly BlockWire[]) =>
    blocks.map((each) => each.label),
  );
  expect(labels).toEqual([["soul", "rules"], ["memory", "todos"], ["knowledge"], ["skills"]]);
});
