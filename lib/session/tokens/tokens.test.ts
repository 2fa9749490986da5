import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compactionMessage } from "../compaction-message";
import type { SessionMessage } from "../message";
import { assistant, toolCall, user } from "../testing";
import { estimateMessageTokens, estimateStringTokens, estimateToolTokens } from "./estimate-tokens";
import { usageTokenCounter } from "./token-counters";

describe("estimateStringTokens", () => {
  test.each([
    ["", 0],
    ["word", 2],
    ["one two three", 4],
    ["a b c d e f g h i j", 13],
    ["x".repeat(400), 100],
  ])("counts %j as %d", (text, tokens) => {
    expect(estimateStringTokens(text)).toBe(tokens);
  });

  test("counts the words of a text of any length, plain or not", () => {
    const words = "ab c ".repeat(3_000);
    expect(estimateStringTokens(words)).toBe(7_800);
    expect(estimateStringTokens(`${words}東`)).toBe(7_801);
    expect(estimateStringTokens(`東${words}`)).toBe(7_801);
    expect(estimateStringTokens("\ta\n\r\v\fb\u0000 ")).toBe(3);
  });

  test("does not undercount scripts without spaces and emoji", () => {
    expect(estimateStringTokens("東京都庁で会議があります")).toBeGreaterThanOrEqual(12);
    expect(estimateStringTokens("🌳🌳🌳")).toBeGreaterThanOrEqual(6);
    expect(estimateStringTokens("สวัสดีครับ")).toBeGreaterThanOrEqual(10);
  });
});

describe("estimateMessageTokens", () => {
  test("adds four a message to its text, reasoning and tool calls", () => {
    expect(estimateMessageTokens([])).toBe(0);
    expect(estimateMessageTokens([user("q", "")])).toBe(4);
    const text = estimateMessageTokens([assistant("a", "one two three")]);
    expect(text).toBe(8);
    const reasoning = { type: "reasoning", text: "one two three" };
    expect(estimateMessageTokens([assistant("a", "one two three", reasoning)])).toBe(12);
    const call = toolCall("weather", { city: "Lisbon" }, { forecast: "x".repeat(400) });
    expect(estimateMessageTokens([assistant("a", "", call)])).toBeGreaterThan(100);
  });

  test("gives files and images a cost", () => {
    const image = { type: "file", mediaType: "image/png", url: "data:" };
    const pdf = { type: "file", mediaType: "application/pdf", url: "data:" };
    expect(estimateMessageTokens([assistant("a", "", image)])).toBeGreaterThan(500);
    expect(estimateMessageTokens([assistant("a", "", pdf)])).toBeGreaterThan(500);
  });
});

test("tool names, descriptions and schemas count", async () => {
  const description = "Looks up the weather of a city.";
  const weather = tool({
    description,
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => city,
  });
  const tokens = await estimateToolTokens({ weather });
  expect(tokens).toBeGreaterThan(estimateStringTokens(description));
  expect(await estimateToolTokens({ weather, again: weather })).toBeGreaterThan(1.5 * tokens);
});

describe("usageTokenCounter", () => {
  const reported = (id: string, tokens: number): SessionMessage => ({
    ...assistant(id),
    createdAt: new Date("2026-01-02"),
    metadata: { tokens },
  });
  const count = usageTokenCounter(
    ({ metadata }) => (metadata as { tokens: number } | undefined)?.tokens,
  );

  test("trusts the newest report and estimates what follows", async () => {
    const messages = [
      user("q1"),
      reported("a1", 10),
      reported("a2", 5_000),
      user("q2", "one two three"),
    ];
    expect(await count(messages)).toBe(5_008);
    expect(await count([user("q1", "one two three")])).toBe(8);
  });

  test("does not trust a report older than a summary", async () => {
    const summary = compactionMessage({
      id: "c",
      summary: "short",
      fromMessageId: "x",
      toMessageId: "y",
      createdAt: new Date("2026-01-03"),
    });
    const messages = [summary, reported("a2", 5_000)];
    expect(await count(messages)).toBe(estimateMessageTokens(messages));
  });
});
