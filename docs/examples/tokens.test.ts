import { tool } from "ai";
import {
  createCompactFunction,
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  InMemorySessionStore,
  Session,
  type SessionMessage,
  type TokenCounter,
  usageTokenCounter,
} from "grove-session";
import { assistant, toolCall, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { z } from "zod";

test("texts", () => {
  expect(estimateStringTokens("")).toBe(0);
  expect(estimateStringTokens("one two three")).toBe(4);
  expect(estimateStringTokens("x".repeat(400))).toBe(100);
  expect(estimateStringTokens("東京都庁")).toBe(4);
  expect(estimateStringTokens("🌳")).toBe(2);
});

test("messages", () => {
  const picture = { type: "file", mediaType: "image/png", url: "data:" };
  const document = { type: "file", mediaType: "application/pdf", url: "data:" };
  const reasoning = { type: "reasoning", text: "one two three" };

  expect(estimateMessageTokens([user("q1", "one two three")])).toBe(8);
  expect(estimateMessageTokens([assistant("a1", "one two three", reasoning)])).toBe(12);
  expect(estimateMessageTokens([assistant("a1", "", toolCall("f", {}, "x".repeat(400)))])).toBe(
    108,
  );
  expect(estimateMessageTokens([user("q1", ""), { ...user("q2"), parts: [picture] }])).toBe(1_008);
  expect(estimateMessageTokens([{ ...user("q1"), parts: [document] }])).toBe(2_004);
});

test("tools", async () => {
  const weather = tool({
    description: "Looks up the weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => city,
  });

  const tokens = await estimateToolTokens({ weather });

  expect(tokens).toBeGreaterThan(estimateStringTokens("Looks up the weather of a city."));
});

test("a counter of your own counts everywhere", async () => {
  const perMessage: TokenCounter = (messages) => messages.length * 100;
  const session = Session.create(new InMemorySessionStore())
    .onCompaction(
      createCompactFunction({ summarize: async () => "S", protectHead: 1, tailTokenBudget: 200 }),
    )
    .compactAfter(550, { tokenCounter: perMessage });

  for (let n = 1; n <= 6; n++) await session.appendMessage(user(`m${n}`, "word ".repeat(20)));
  const tokens = await session.countTokens();
  const [compaction] = await session.getCompactions();

  expect(tokens).toBe(400);
  expect(compaction).toMatchObject({
    fromMessageId: "m2",
    toMessageId: "m4",
    metadata: { tokensBefore: 600 },
  });
});

test("what the model reported", async () => {
  const answer: SessionMessage = {
    ...assistant("a1"),
    createdAt: new Date(),
    metadata: { totalTokens: 5_000 },
  };

  const count = usageTokenCounter(({ metadata }) => {
    return (metadata as { totalTokens?: number } | undefined)?.totalTokens;
  });
  const tokens = await count([user("q1"), answer, user("q2", "one two three")]);

  expect(tokens).toBe(5_008);
  expect(await count([user("q1", "one two three")])).toBe(8);
});
