import { expect, test } from "vitest";
import type { CompactionWire } from "@/lib/chat/wire/compaction";
import { compactionFacts, compactionTitle } from "./compaction-words";

const compaction: CompactionWire = {
  id: "c",
  summary: "Short.",
  fromMessageId: "a",
  toMessageId: "b",
  createdAt: "2026-01-01T00:00:00Z",
  messageCount: 39,
  summaryTokens: 960,
};

test("names the messages a summary stands for", () => {
  expect(compactionTitle(compaction, 2.5)).toBe("Messages 3–41 summarized");
  expect(compactionTitle({ ...compaction, messageCount: 1 }, 3)).toBe("Message 3 summarized");
});

const same = (model: string) => model;

test("says what it saved and what it cost, as far as that is known", () => {
  const known = { rangeTokens: 18_240, model: "anthropic/claude", cost: 0.012 };
  expect(compactionFacts({ ...compaction, ...known }, same)).toBe(
    "18,240 → 960 tokens · anthropic/claude · $0.012",
  );
  expect(compactionFacts({ ...compaction, model: "demo" }, (model) => `the ${model}`)).toBe(
    "960 tokens · the demo",
  );
  expect(compactionFacts(compaction, same)).toBe("960 tokens");
});
