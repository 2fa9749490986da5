import { asSchema, convertToModelMessages, generateText, isStepCount, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import {
  estimateToolTokens,
  InMemorySearchProvider,
  InMemorySessionStore,
  InMemorySkillProvider,
  Session,
  SessionManager,
} from "grove-session";
import { assistant, ids, toolCall, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

const call = { toolCallId: "c", messages: [], context: {} };

onEveryStore((openStore) => {
  test("a turn", async () => {
    const session = Session.create(openStore())
      .withContext("soul", { provider: { get: () => "You are a helpful assistant." } })
      .withContext("memory", { description: "Learned facts", maxTokens: 1100 })
      .withCachedPrompt();
    const model = scriptedModel();

    await session.appendMessage(user("q1", "I drink green tea."));
    const result = await generateText({
      model,
      instructions: await session.freezeSystemPrompt(),
      messages: await convertToModelMessages(await session.getModelHistory()),
      tools: await session.tools(),
      stopWhen: isStepCount(5),
    });
    const answer = await session.appendAnswer(result);

    expect(answer.parts.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["tool-set_context", "text"]),
    );
    expect((await session.getContextBlock("memory"))?.content).toBe("Drinks green tea.");
    expect(ids(await session.getHistory())).toEqual(["q1", answer.id]);
  });

  test("the prompt", async () => {
    const knowledge = new InMemorySearchProvider();
    await knowledge.set("tea", "Green tea steeps two minutes.");
    const skills = new InMemorySkillProvider();
    await skills.set("api-ref", "…", "API Reference documentation");
    const session = Session.create(openStore())
      .withContext("soul", {
        description: "Identity",
        provider: { get: () => "You are a helpful coding assistant who speaks concisely." },
      })
      .withContext("memory", { description: "Important facts", maxTokens: 100 })
      .withContext("knowledge", { description: "Searchable knowledge base", provider: knowledge })
      .withContext("skills", { provider: skills })
      .withContext("nothing", { provider: { get: () => null } });
    await session.replaceContextBlock("memory", "User prefers dark mode.\nUser writes TypeScript.");

    const prompt = await session.freezeSystemPrompt();

    expect(`${prompt}\n`).toBe(
      `
══════════════════════════════════════════════
SOUL (Identity) [readonly]
══════════════════════════════════════════════
You are a helpful coding assistant who speaks concisely.

══════════════════════════════════════════════
MEMORY (Important facts) [12% — 12/100 tokens] [writable]
══════════════════════════════════════════════
User prefers dark mode.
User writes TypeScript.

══════════════════════════════════════════════
KNOWLEDGE (Searchable knowledge base) [searchable]
══════════════════════════════════════════════
1 entries indexed.

══════════════════════════════════════════════
SKILLS [loadable]
══════════════════════════════════════════════
- api-ref: API Reference documentation
`.trimStart(),
    );
  });

  test("the frozen prompt", async () => {
    const store = openStore();
    const open = () => Session.create(store).withContext("memory").withCachedPrompt();
    const session = open();

    const frozen = await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "Drinks green tea.");
    const same = await open().freezeSystemPrompt();
    const changes = await session.memory.getPromptChanges();
    const refreshed = await session.refreshSystemPrompt();

    expect(same).toBe(frozen);
    expect(changes).toMatchObject([{ label: "memory", change: "changed" }]);
    expect(refreshed).toContain("Drinks green tea.");
    expect(await open().freezeSystemPrompt()).toBe(refreshed);
  });

  test("tools and what they say", async () => {
    const skills = new InMemorySkillProvider();
    const knowledge = new InMemorySearchProvider();
    const session = Session.create(openStore())
      .withContext("memory", { maxTokens: 20 })
      .withContext("skills", { provider: skills })
      .withContext("knowledge", { provider: knowledge });
    const tools: ToolSet = await session.tools();
    const say = (name: string, input: object) => tools[name]?.execute?.(input, call);
    const steps = { label: "skills", metadata: { title: "Making tea", description: "Steps" } };
    const tea = { label: "skills", key: "making-tea" };

    const said = [
      await say("set_context", { label: "memory", content: "Drinks green tea." }),
      await say("set_context", { ...steps, content: "Boil water." }),
      await say("load_context", tea),
      await say("unload_context", tea),
      await say("unload_context", tea),
      await say("load_context", { label: "skills", key: "making-soup" }),
      await say("search_context", { label: "knowledge", query: "soup" }),
      await say("set_context", { label: "memory", content: "x".repeat(200) }),
    ];

    expect(said).toEqual([
      { outcome: "written", label: "memory", tokens: 5, maxTokens: 20 },
      { outcome: "written", label: "skills", key: "making-tea" },
      "Boil water.",
      'Unloaded "making-tea" from skills. Context reclaimed.',
      { outcome: "refused", reason: 'Skill "making-tea" is not currently loaded in "skills".' },
      { outcome: "refused", reason: "Not found: making-soup" },
      "No results found.",
      { outcome: "refused", reason: 'Block "memory" exceeds maxTokens: 50 > 20' },
    ]);
  });

  test("a person and the model write at the same time", async () => {
    const session = Session.create(openStore()).withContext("memory");
    const tools = await session.tools();
    await session.replaceContextBlock("memory", "Written by the person.");

    const input = { label: "memory", content: "Written by the model.", action: "replace" } as const;
    const said = await tools.set_context?.execute?.(input, call);

    expect(said).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("It now says:\nWritten by the person."),
    });
  });

  test("reading only", async () => {
    const session = Session.create(openStore()).withContext("memory");

    const tools = await session.tools({ allowWrites: false });
    const cost = await estimateToolTokens(await session.tools());

    expect(Object.keys(tools)).toEqual([]);
    expect(cost).toBeGreaterThan(20);
  });

  test("loaded skills", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("tea", "Boil water, wait three minutes.");
    const session = Session.create(openStore()).withContext("skills", { provider: skills });
    const tea = { label: "skills", key: "tea" };
    const load = toolCall("load_context", tea, "Boil water, wait three minutes.");
    await session.appendMessage(user("q1"));
    await session.appendMessage(assistant("a1", "Loading it.", load));

    const loaded = await session.memory.getLoadedSkills();
    await session.memory.recordSkillEvent(tea, "unload");
    const afterwards = await session.getModelHistory();

    expect(loaded).toEqual([tea]);
    expect(await session.memory.getLoadedSkills()).toEqual([]);
    expect(afterwards[1]?.parts[1]).toMatchObject({
      output: '(Skill "tea" from skills was unloaded. Load it again to read it.)',
    });
    expect((await session.getHistory())[1]?.parts[1]).toEqual(load);
  });

  test("a call nobody answered", async () => {
    const session = Session.create(openStore());
    const open = { type: "tool-weather", toolCallId: "c1", state: "input-available", input: {} };
    await session.appendMessage(user("q1"));
    await session.appendMessage(assistant("a1", "Let me see.", open));

    const [, answer] = await session.getModelHistory();

    expect(answer?.parts[1]).toMatchObject({ state: "output-error", errorText: "interrupted" });
  });

  test("the search over all sessions", async () => {
    const sessions = SessionManager.create(openStore());
    const { id } = await sessions.create("Tea");
    await sessions.append(id, user("q1", "Green tea steeps two minutes."));

    const tools = { ...(await sessions.getSession(id).tools()), ...sessions.tools() };
    const said = await tools.session_search?.execute?.({ query: "green tea" }, call);

    expect(said).toMatch(/^\[Tea, \d{4}-\d\d-\d\d, user\]\nGreen tea steeps two minutes\.$/);
  });
});

test("the model sees which blocks there are", async () => {
  const session = Session.create(new InMemorySessionStore())
    .withContext("memory", { description: "Learned facts" })
    .withContext("todos");
  const { set_context } = await session.tools();
  const schema = await asSchema(set_context?.inputSchema).jsonSchema;
  expect(schema).toMatchObject({ properties: { label: { enum: ["memory", "todos"] } } });
});

/** Writes to memory, then says so. */
function scriptedModel(): MockLanguageModelV4 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const input = JSON.stringify({ label: "memory", content: "Drinks green tea." });
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: "tool-call", toolCallId: "c1", toolName: "set_context", input }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "Noted." }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}
