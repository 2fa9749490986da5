import { expect, test } from "vitest";
import { createCompactFunction, InMemorySessionStore, SessionManager } from "@/lib/session";

const model = { summarize: async () => "## Topic\nTea." };

test("the program of the README runs", async () => {
  const sessions = SessionManager.create(new InMemorySessionStore())
    .withContext("soul", { provider: { get: async () => "You are a helpful assistant." } })
    .withContext("memory", {
      description: "Facts about the person",
      maxTokens: 1100,
      scope: "owner",
    })
    .withCachedPrompt()
    .onCompaction(createCompactFunction({ summarize: model.summarize }))
    .compactAfter({ share: 0.8, contextWindow: 200_000 })
    .withSearchableHistory("history");

  const { id } = await sessions.create("Tea");
  const session = sessions.getSession(id);
  const text = (words: string) => [{ type: "text", text: words }];

  await session.appendMessage({ id: "q1", role: "user", parts: text("How long does tea steep?") });
  await session.appendMessage({ id: "a1", role: "assistant", parts: text("Three minutes.") });
  // A second answer to the same question: a branch, nothing is overwritten.
  await session.appendMessage({ id: "a2", role: "assistant", parts: text("Two, if green.") }, "q1");

  const instructions = await session.freezeSystemPrompt();
  const messages = await session.getModelHistory();
  const tools = { ...(await session.tools()), ...sessions.tools() };
  // Hand instructions, messages and tools to a model, and append what it answers.

  expect(instructions).toContain("MEMORY (Facts about the person) [0% — 0/1100 tokens] [writable]");
  expect(messages.map((message) => message.id)).toEqual(["q1", "a2"]);
  expect(Object.keys(tools)).toEqual(["set_context", "search_context", "session_search"]);
  expect(await sessions.search("tea steep")).toHaveLength(1);
});
