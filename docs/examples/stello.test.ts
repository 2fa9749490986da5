import { SessionManager } from "grove-session";
import {
  createClaude,
  createMainSession,
  createSession,
  createSessionTool,
  GroveStorage,
  InMemoryStorageAdapter,
  type LLMAdapter,
  loadSession,
  SessionArchivedError,
  tool,
} from "grove-session/stello";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("a conversation", async () => {
    const store = openStore();
    const llm = answering("Three minutes.", "Two, if green.");
    const storage = new GroveStorage(store);
    const session = await createSession({
      storage,
      llm,
      label: "Tea",
      systemPrompt: "Be brief.",
    });

    const { content } = await session.send("How long does tea steep?");
    const stream = session.stream("And green tea?");
    for await (const text of stream) process.stdout.write(text);
    await stream.result;

    const loaded = await loadSession(session.meta.id, { storage, llm });
    const answers = await loaded?.messages({ role: "assistant" });

    expect(content).toBe("Three minutes.");
    expect(answers?.map((message) => message.content)).toEqual([
      "Three minutes.",
      "Two, if green.",
    ]);

    const chats = SessionManager.create(store);
    const history = await chats.getHistory(session.meta.id);
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test("memory", async () => {
    const storage = new GroveStorage(openStore());
    const session = await createSession({ storage, llm: answering("Three minutes.", "Hot.") });
    await session.send("How long does tea steep?");

    await session.consolidate(async (memory, messages) => {
      const newest = messages.at(-1)?.content ?? "";
      return memory === null ? newest : `${memory}\n${newest}`;
    });
    await session.trimRecords(0);

    await session.setInsight("There are guests at five.");
    await session.send("How hot?");
    expect(await session.insight()).toBeNull();
    expect(await session.memory()).toBe("Three minutes.");
    expect((await session.messages()).length).toBe(2);
  });

  test("forks", async () => {
    const storage = new GroveStorage(openStore());
    const llm = answering("Three minutes.");
    const session = await createSession({ storage, llm, systemPrompt: "Be brief." });
    await session.send("How long does tea steep?");

    const empty = await session.fork({ id: "rent", label: "Rent", prompt: "I look for rooms." });
    const whole = await session.fork({ label: "Green tea", context: "inherit" });
    const questions = await session.fork({
      label: "Questions",
      context: (records) => records.filter(({ role }) => role === "user"),
      systemPrompt: "Answer at length.",
      llm: answering("It depends."),
    });

    expect((await empty.messages()).length).toBe(1);
    expect((await whole.messages()).length).toBe(2);
    expect((await questions.messages()).length).toBe(1);
    expect(await whole.systemPrompt()).toBe("Be brief.");
  });

  test("integration", async () => {
    const storage = new GroveStorage(openStore());
    const main = await createMainSession({ storage, llm: answering("All is well.") });
    const tea = await createSession({ storage, label: "Tea" });
    await tea.consolidate(async () => "Steeps three minutes.");

    const { synthesis } = await main.integrate(async (children, before) => ({
      synthesis: [before, ...children.map(({ label, l2 }) => `${label}: ${l2}`)].join("\n").trim(),
      insights: children.map(({ sessionId }) => ({ sessionId, content: "Guests at five." })),
    }));

    expect(synthesis).toBe("Tea: Steeps three minutes.");
    expect(await main.synthesis()).toBe(synthesis);
    expect(await tea.insight()).toBe("Guests at five.");
  });

  test("describing and archiving", async () => {
    const storage = new GroveStorage(openStore());
    const session = await createSession({ storage, llm: answering() });
    await session.updateMeta({ label: "Tea", tags: ["kitchen"], metadata: { priority: 1 } });
    session.setLLM(createClaude({ model: "claude-haiku-4-5-20251001", apiKey: "sk-…" }));
    await session.archive();
    expect(session.meta).toMatchObject({ label: "Tea", tags: ["kitchen"], status: "archived" });
    await expect(session.send("Still there?")).rejects.toThrow(SessionArchivedError);
  });
});

test("tools", async () => {
  const search = async (query: string) => [`Found: ${query}`];
  const searchTool = tool(
    "search",
    "Search the knowledge base",
    { query: z.string().describe("Search keywords") },
    async (input) => {
      const results = await search(input.query);
      return { output: results };
    },
  );

  const llm: LLMAdapter = {
    maxContextTokens: 200_000,
    complete: async (messages) =>
      messages.at(-1)?.role === "tool"
        ? { content: "Three minutes." }
        : { content: null, toolCalls: [{ id: "c1", name: "search", input: { query: "tea" } }] },
  };
  const storage = new InMemoryStorageAdapter();
  const tools = [{ ...searchTool, inputSchema: z.toJSONSchema(searchTool.inputSchema) }];
  const session = await createSession({ storage, llm, tools });

  let result = await session.send("How long does tea steep?");
  while (result.toolCalls) {
    const toolResults = result.toolCalls.map(async ({ id, input }) => {
      const { output } = await searchTool.execute(searchTool.inputSchema.parse(input));
      return { toolCallId: id, success: true, data: output };
    });
    result = await session.send(JSON.stringify({ toolResults: await Promise.all(toolResults) }));
  }

  expect(result.content).toBe("Three minutes.");
  const createChild = createSessionTool(() => session);
  const { output } = await createChild.execute({ label: "Green tea" });
  expect(output).toMatchObject({ label: "Green tea" });
});

function answering(...answers: string[]): LLMAdapter {
  const left = [...answers];
  return {
    maxContextTokens: 200_000,
    complete: async () => ({ content: left.shift() ?? "" }),
  };
}
