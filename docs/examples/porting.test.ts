import { convertToModelMessages, generateText, type LanguageModel, type UIMessage } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import {
  type ContextProvider,
  createCompactFunction,
  enforceRowSizeLimit,
  InMemorySessionProvider,
  InMemorySessionStore,
  type SearchProvider,
  Session,
  SessionManager,
  type SessionMessage,
  type SessionProvider,
  type SessionStore,
  type SkillProvider,
  truncateOlderMessages,
  type WritableContextProvider,
} from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

class KitchenAgent {
  readonly session: Session;

  constructor(
    store: SessionStore,
    readonly model: LanguageModel,
  ) {
    this.session = Session.create(store)
      .withContext("soul", { provider: { get: async () => "You know your way around kitchens." } })
      .withContext("memory", { description: "What the cook likes", maxTokens: 1100 })
      .withCachedPrompt()
      .onCompaction(
        createCompactFunction({
          summarize: (prompt) => generateText({ model: this.model, prompt }).then((r) => r.text),
        }),
      )
      .compactAfter(100_000);
  }

  async onMessage(message: UIMessage): Promise<string> {
    await this.session.appendMessage(message);
    const history = await this.session.getHistory();
    const result = await generateText({
      model: this.model,
      instructions: await this.session.freezeSystemPrompt(),
      messages: await convertToModelMessages(truncateOlderMessages(history)),
      tools: await this.session.tools(),
    });
    await this.session.appendAnswer(result, { id: `reply-to-${message.id}` });
    return result.text;
  }
}

onEveryStore((openStore) => {
  test("an agent", async () => {
    const agent = new KitchenAgent(openStore(), modelThatSays("Three minutes."));
    const question: UIMessage = {
      id: "q1",
      role: "user",
      parts: [{ type: "text", text: "How long does tea steep?" }],
    };

    expect(await agent.onMessage(question)).toBe("Three minutes.");
    expect(ids(await agent.session.getHistory())).toEqual(["q1", "reply-to-q1"]);
  });

  test("parents and leaves named in options", async () => {
    const session = Session.create(openStore());
    await session.appendMessages([user("q1"), assistant("a1")]);
    await session.appendMessage(assistant("b1"), { parentId: "q1", activate: false });
    await session.appendMessage(user("q2"), { parentId: null });
    await session.appendMessage(assistant("a2"), {});
    expect(ids(await session.getHistory({ leafId: "b1" }))).toEqual(["q1", "b1"]);
    expect(ids(await session.getHistory({ leafId: "a1" }))).toEqual(["q1", "a1"]);
    expect(ids(await session.getHistory({}))).toEqual(["q2", "a2"]);
    expect(await session.getHistory({ leafId: "unknown" })).toEqual([]);
  });

  test("a manager", async () => {
    const manager = SessionManager.create(openStore());
    const info = await manager.create("My Chat", { model: "m", source: "web" });
    await manager.append(info.id, user("q1"));
    const forked = await manager.fork(info.id, "q1", "Forked Chat");
    expect(forked.parent_session_id === info.id).toBe(true);
    expect((await manager.list()).map(({ name }) => name).toSorted()).toEqual([
      "Forked Chat",
      "My Chat",
    ]);
  });

  test("what is returned has the documented shapes", async () => {
    const session = Session.create(openStore()).withContext("memory", {
      description: "Learned facts",
      maxTokens: 1100,
    });
    for (const message of [user("q1", "Deployment on Friday"), assistant("a1")]) {
      await session.appendMessage(message);
    }
    const block = await session.getContextBlock("memory");
    const [hit] = await session.search("deployment Friday", { limit: 10 });
    const overlay = await session.addCompaction("Summary", "q1", "a1");

    expect(block).toMatchObject({
      label: "memory",
      description: "Learned facts",
      content: "",
      tokens: 0,
      maxTokens: 1100,
      writable: true,
      isSkill: false,
      isSearchable: false,
    });
    expect(hit).toMatchObject({ id: "q1", role: "user", content: "Deployment on Friday" });
    expect(overlay).toMatchObject({ summary: "Summary", fromMessageId: "q1", toMessageId: "a1" });
  });
});

// The compiler checks that each name is one of the class or port, the tests that it is there at run time.
const sessionMethods = [
  ...(["forSession", "withContext", "withCachedPrompt", "onCompaction", "compactAfter"] as const),
  ...(["appendMessage", "updateMessage", "deleteMessages", "clearMessages"] as const),
  ...(["getHistory", "getMessage", "getLatestLeaf", "getPathLength", "getBranches"] as const),
  ...(["search", "addContext", "removeContext", "getContextBlock", "getContextBlocks"] as const),
  ...(["replaceContextBlock", "appendContextBlock"] as const),
  ...(["freezeSystemPrompt", "refreshSystemPrompt", "tools"] as const),
  ...(["compact", "addCompaction", "getCompactions"] as const),
] satisfies (keyof Session)[];

const managerMethods = [
  ...(["withContext", "withCachedPrompt", "onCompaction", "compactAfter"] as const),
  ...(["withSearchableHistory", "create", "get", "list", "rename", "delete"] as const),
  ...(["getSession", "append", "upsert", "appendAll", "getHistory", "getMessageCount"] as const),
  ...(["clearMessages", "deleteMessages", "fork", "addUsage", "search", "tools"] as const),
] satisfies (keyof SessionManager)[];

const providerMethods = [
  ...(["getMessage", "getHistory", "getLatestLeaf", "getBranches", "getPathLength"] as const),
  ...(["appendMessage", "updateMessage", "deleteMessages", "clearMessages"] as const),
  ...(["addCompaction", "getCompactions", "searchMessages"] as const),
] satisfies (keyof SessionProvider)[];

test.each([
  ["Session", Session.prototype, sessionMethods],
  ["SessionManager", SessionManager.prototype, managerMethods],
  ["SessionProvider", InMemorySessionProvider.prototype, providerMethods],
] as const)("%s has every documented method", (_, prototype, names) => {
  const methods = prototype as unknown as Record<string, unknown>;
  expect(names.filter((name) => typeof methods[name] !== "function")).toEqual([]);
});

test("the documented kinds of providers are told apart", async () => {
  const readonly: ContextProvider = { get: async () => "Static" };
  const writable: WritableContextProvider = { get: async () => "", set: async (_content) => {} };
  const skills: SkillProvider = {
    get: async () => "- guide: User guide",
    load: async (_key) => "text",
    set: async (_key, _content, _description) => {},
  };
  const knowledge: SearchProvider = {
    get: async () => "42 entries indexed",
    search: async (_query) => "found",
    set: async (_key, _content) => {},
  };
  const session = Session.create(new InMemorySessionStore());
  for (const [label, provider] of Object.entries({ readonly, writable, skills, knowledge })) {
    session.withContext(label, { provider });
  }

  const blocks = await session.getContextBlocks();

  expect(blocks.map((block) => [block.writable, block.isSkill, block.isSearchable])).toEqual([
    [false, false, false],
    [true, false, false],
    [true, true, false],
    [true, false, true],
  ]);
  expect(Object.keys(await session.tools()).toSorted()).toEqual([
    "load_context",
    "search_context",
    "set_context",
    "unload_context",
  ]);
});

test("compaction has the documented defaults", async () => {
  const compact = createCompactFunction({ summarize: async () => "short" });
  const messages = Array.from({ length: 12 }, (_, n) => (n % 2 ? assistant : user)(`m${n + 1}`));
  const tokenCounter = (counted: readonly SessionMessage[]) => counted.length * 5_000;

  const result = await compact(messages, { tokenCounter });
  const huge = await compact(messages.slice(0, 6), {
    tokenCounter: (counted) => counted.length * 50_000,
  });

  expect(result).toMatchObject({ fromMessageId: "m4", toMessageId: "m8" });
  expect(huge).toMatchObject({ fromMessageId: "m4", toMessageId: "m4" });
});

test("a message too large for a row becomes a preview", () => {
  const call = { type: "tool-list", toolCallId: "c1", state: "output-available", input: {} };
  const message = assistant("a1", "", { ...call, output: "x".repeat(2_000_000) });
  expect(JSON.stringify(enforceRowSizeLimit(message)).length).toBeLessThan(1_000_000);
});

test("only the four newest messages stay whole", () => {
  const messages = Array.from({ length: 6 }, (_, n) => user(`m${n}`, "x".repeat(20_000)));
  const whole = truncateOlderMessages(messages).map((message, n) => message === messages[n]);
  expect(whole).toEqual([false, false, true, true, true, true]);
});

function modelThatSays(text: string): MockLanguageModelV4 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    }),
  });
}
