import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createCompactFunction, InMemorySessionStore, SessionManager } from "@/lib/session";

const model = { summarize: async () => "## Topic\nTea." };

// What stands between the two marks is the program in README.md.
test("the program of the README runs and is this one", async () => {
  // <readme>
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
  // </readme>

  expect(instructions).toContain("MEMORY (Facts about the person) [0% — 0/1100 tokens] [writable]");
  expect(messages.map((message) => message.id)).toEqual(["q1", "a2"]);
  expect(Object.keys(tools)).toEqual(["set_context", "search_context", "session_search"]);
  expect(await sessions.search("tea steep")).toHaveLength(1);

  const source = await readFile(new URL("readme.test.ts", import.meta.url), "utf8");
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  const [, program = ""] = source.split(/^ {2}\/\/ <\/?readme>\n/m);
  expect(readme).toContain(program.replaceAll(/^ {2}/gm, "").trim());
});
