import { convertToModelMessages, generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InMemorySessionStore, Session } from "../../session";
import { AgentSession } from "./agent-session";
import { itemsFromMessage, messagesFromItems } from "./item-messages";
import { anyItems } from "./testing/any-item";

test("items of every kind are read as they were written", { tags: "long" }, () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      const stored = JSON.parse(JSON.stringify(messagesFromItems(items))) as ReturnType<
        typeof messagesFromItems
      >;
      expect(stored.flatMap(itemsFromMessage)).toEqual(items);
    }),
    { numRuns: 200 * Number(process.env.GROVE_TEST_DEPTH ?? 1) },
  );
});

test("models accept items of every kind as a history", async () => {
  await fc.assert(
    fc.asyncProperty(anyItems, async (items) => {
      const session = Session.create(new InMemorySessionStore());
      await new AgentSession(session).addItems(items);
      await session.appendMessage({ id: "q", role: "user", parts: [{ type: "text", text: "?" }] });
      const messages = await convertToModelMessages(await session.getModelHistory());
      const model = new MockLanguageModelV4({
        doGenerate: {
          content: [{ type: "text", text: "!" }],
          finishReason: { unified: "stop", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        },
      });
      await generateText({ model, messages });
      const prompt = model.doGenerateCalls[0]?.prompt ?? [];
      expect(prompt.filter(({ content }) => content.length === 0)).toEqual([]);
      const parts = prompt.flatMap((message) =>
        message.role === "system" ? [] : [...message.content],
      );
      const calls = parts.filter((part) => part.type === "tool-call");
      const results = parts.filter((part) => part.type === "tool-result");
      expect(results.map(({ toolCallId }) => toolCallId)).toEqual(
        calls.map(({ toolCallId }) => toolCallId),
      );
      expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(calls.length);
      expect(calls.every(({ input }) => typeof input === "object" && input !== null)).toBe(true);
    }),
    { numRuns: 60 * Number(process.env.GROVE_TEST_DEPTH ?? 1) },
  );
});
