import { asSchema, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import type { AnyContextProvider } from "../context-provider";
import { InMemoryDocument } from "../in-memory/in-memory-document";
import { InMemorySearchProvider, InMemorySkillProvider } from "../in-memory/in-memory-entries";
import { InMemorySessionStore } from "../in-memory/in-memory-session-store";
import { Session } from "../session";
import { assistant, toolCall } from "../testing";
import { contextTools, type ToolsOptions } from "./context-tools";
import { entryKeyFor } from "./entry-key";
import { sessionSearchTool } from "./session-search";
import type { BlockWrite } from "./set-context";
import { blocksOf, call, nothingLoaded, output } from "./testing/call-tools";

async function jsonSchemaOf(tools: ToolSet, name: string) {
  return (await asSchema(tools[name]?.inputSchema).jsonSchema) as {
    properties: Record<string, { enum?: string[] }>;
    required: string[];
  };
}

describe("the set of tools", () => {
  test("depends on what the blocks can do", () => {
    const names = (providers: Record<string, AnyContextProvider>, allowWrites = true) =>
      Object.keys(contextTools(blocksOf(providers), { ...nothingLoaded, allowWrites })).toSorted();
    const readonlySkills = { get: () => "", load: () => null };
    const both = { get: () => "", load: () => null, search: () => null };
    expect(names({ soul: { get: () => "x" } })).toEqual([]);
    expect(names({ memory: new InMemoryDocument() })).toEqual(["set_context"]);
    expect(names({ skills: readonlySkills })).toEqual(["load_context", "unload_context"]);
    expect(names({ both })).toEqual(["load_context", "search_context", "unload_context"]);
    expect(names({ knowledge: new InMemorySearchProvider() })).toEqual([
      "search_context",
      "set_context",
    ]);
    expect(names({ knowledge: new InMemorySearchProvider() }, false)).toEqual(["search_context"]);
  });

  test("the schema names the labels, and metadata only for entries", async () => {
    const plain = contextTools(
      blocksOf({ soul: { get: () => "x" }, memory: new InMemoryDocument() }),
      nothingLoaded,
    );
    const schema = await jsonSchemaOf(plain, "set_context");
    expect(schema.properties.label?.enum).toEqual(["memory"]);
    expect(Object.keys(schema.properties)).toEqual(["label", "content", "action"]);
    expect(schema.required).toEqual(["label", "content"]);
    const keyed = contextTools(blocksOf({ skills: new InMemorySkillProvider() }), nothingLoaded);
    expect(Object.keys((await jsonSchemaOf(keyed, "set_context")).properties)).toContain(
      "metadata",
    );
    expect(keyed.set_context?.description).toMatch(
      /\n- "skills" \(skill collection, keyed entries\): About skills\nKeyed entries take metadata: /,
    );
    expect(plain.set_context?.description).toMatch(/\n- "memory" \(writable\): About memory$/);
    expect(Object.keys((await jsonSchemaOf(keyed, "load_context")).properties)).toEqual([
      "label",
      "key",
    ]);
  });
});

describe("a tool called without the options of a call", () => {
  test("answers as it does with them", async () => {
    const providers = {
      memory: new InMemoryDocument(),
      skills: new InMemorySkillProvider(),
      knowledge: new InMemorySearchProvider(),
    };
    const tools = contextTools(blocksOf(providers), nothingLoaded);
    const inputs: Record<string, object> = {
      set_context: { label: "memory", content: "Likes tea." },
      load_context: { label: "skills", key: "none" },
      unload_context: { label: "skills", key: "none" },
      search_context: { label: "knowledge", query: "none" },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const execute = tools[name as keyof typeof tools]?.execute as (input: object) => unknown;
      await expect(execute(input), name).resolves.toBeDefined();
    }
    expect(await providers.memory.get()).toBe("Likes tea.");
    const search = sessionSearchTool(async () => []).execute as (input: object) => unknown;
    expect(await search({ query: "tea" })).toBe("No results found.");
  });
});

describe("set_context", () => {
  test("says what became of a write as data, which a page need not read out of a sentence", async () => {
    const blocks = blocksOf({ memory: new InMemoryDocument() }, 8);
    const write = (content: string, options = {}) =>
      output(contextTools(blocks, { ...nothingLoaded, ...options }), "set_context", {
        label: "memory",
        content,
        action: "append",
      });
    const written = { outcome: "written", label: "memory", tokens: 2, maxTokens: 8 };
    expect(await write("tea")).toEqual(written);
    const unchanged = { outcome: "unchanged", label: "memory" };
    expect(await write("tea", { appendsOnce: true })).toEqual(unchanged);
    const proposed = { outcome: "proposed", label: "memory" };
    expect(await write("milk", { hold: async () => undefined })).toEqual(proposed);
    expect(await write("x".repeat(200))).toMatchObject({ outcome: "refused" });
  });

  test("writes and says how full the block is", async () => {
    const memory = new InMemoryDocument("memory");
    const limited = contextTools(blocksOf({ memory }, 8), nothingLoaded);
    expect(await call(limited, "set_context", { label: "memory", content: "one two three" })).toBe(
      "Written to memory. Usage: 50% (4/8 tokens)",
    );
    expect(
      await call(limited, "set_context", {
        label: "memory",
        content: "four five",
        action: "append",
      }),
    ).toBe("Written to memory. Usage: 88% (7/8 tokens)");
    expect(await memory.get()).toBe("one two three\nfour five");
    const open = contextTools(blocksOf({ notes: new InMemoryDocument() }), nothingLoaded);
    expect(await call(open, "set_context", { block: "notes", content: "word" })).toBe(
      "Written to notes. Usage: 2 tokens",
    );
  });

  test("appends existing text again, unless `appendsOnce` is set", async () => {
    const memory = new InMemoryDocument("memory");
    await memory.set("- tea \n- two\n- three");
    const append = async (content: string, options: { appendsOnce?: boolean } = {}) => {
      const tools = contextTools(blocksOf({ memory }), { ...nothingLoaded, ...options });
      return call(tools, "set_context", { label: "memory", content, action: "append" });
    };
    expect(await append("- tea")).toMatch(/^Written to memory/);
    const once = { appendsOnce: true };
    const already = "Already in memory, word for word. Nothing was written.";
    expect(await append("- tea", once)).toBe(already);
    expect(await append("\n- two\n- three\n", once)).toBe(already);
    expect(await append("- te", once)).toMatch(/^Written to memory/);
    expect(await append("- tea\n- three", once)).toMatch(/^Written to memory/);
    expect(await memory.get()).toBe("- tea \n- two\n- three\n- tea\n- te\n- tea\n- three");
  });

  test("answers in words what it refuses", async () => {
    const tools = contextTools(
      blocksOf(
        {
          soul: { get: () => "x" },
          memory: new InMemoryDocument(),
          skills: new InMemorySkillProvider(),
        },
        2,
      ),
      nothingLoaded,
    );
    const said = (input: unknown) => call(tools, "set_context", input);
    expect(await said({ label: "soul", content: "x" })).toBe('Error: Block "soul" is readonly');
    expect(await said({ label: "none", content: "x" })).toBe('Error: Block "none" not found');
    expect(await said({ label: "memory", content: "one two three" })).toBe(
      'Error: Block "memory" exceeds maxTokens: 4 > 2',
    );
  });

  test("writes entries under a key made of the title, and updates them in place", async () => {
    const skills = new InMemorySkillProvider();
    const tools = contextTools(blocksOf({ skills }), nothingLoaded);
    const write = (title: string, content: string, action?: string) =>
      call(tools, "set_context", {
        label: "skills",
        content,
        action,
        metadata: { title, description: "d" },
      });
    expect(await write("Style guide", "one")).toBe('Indexed "style-guide" in skills.');
    await write("Style guide", "two", "append");
    await write("style-guide", "three", "append");
    expect(await skills.entries()).toMatchObject([
      { key: "style-guide", content: "one\ntwo\nthree" },
    ]);
    await skills.set("Odd Key!", "x");
    expect(await write("Odd Key!", "y")).toBe('Indexed "Odd Key!" in skills.');
  });

  test("writes entries without a title under a key made of the content", async () => {
    const skills = new InMemorySkillProvider();
    const tools = contextTools(blocksOf({ skills }), nothingLoaded);
    const write = (content: string) =>
      call(tools, "set_context", { label: "skills", content, metadata: {} });
    expect(await write("Rinse the rice first.")).toMatch(/"rinse-the-rice-first-[0-9a-z]+"/);
    await write("Rinse the rice first.");
    await write("rinse the rice first.");
    expect((await skills.entries()).map(({ title }) => title).toSorted()).toEqual([
      "Rinse the rice first.",
      "rinse the rice first.",
    ]);
  });

  test("describes an entry by its title until it has a description", async () => {
    const skills = new InMemorySkillProvider();
    const tools = contextTools(blocksOf({ skills }), nothingLoaded);
    const write = (metadata: object) =>
      call(tools, "set_context", { label: "skills", content: "Boil.", metadata });
    await write({ title: "Green tea" });
    expect(await skills.get()).toBe("- green-tea: Green tea");
    await write({ title: "Green tea", description: "How to make it" });
    await write({ title: "Green tea" });
    expect(await skills.get()).toBe("- green-tea: How to make it");
  });

  test("records the author, and reports the write", async () => {
    const memory = new InMemoryDocument("memory");
    const provenance = { author: "model", sessionId: "s", messageId: "m" } as const;
    const writes: BlockWrite[] = [];
    const tools = contextTools(blocksOf({ memory }), {
      ...nothingLoaded,
      provenance,
      onWrite: (write) => writes.push(write),
    });
    await call(tools, "set_context", { label: "memory", content: "x" });
    expect(writes).toEqual([{ blockId: "memory", label: "memory", action: "replace", provenance }]);
    expect(await memory.versions()).toMatchObject([{ provenance }]);
  });
});

describe("load_context and unload_context", () => {
  test("load whole documents, and unload only what is loaded", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("tea", "Boil water.");
    const tools = contextTools(blocksOf({ skills }), {
      loadedSkills: () => [{ label: "skills", key: "before" }],
    });
    const tea = { block: "skills", key: "tea" };
    const notLoaded =
      'Skill "tea" is not currently loaded in "skills". Currently loaded: skills:before.';
    expect(await call(tools, "unload_context", tea)).toBe(notLoaded);
    expect(await call(tools, "load_context", tea)).toBe("Boil water.");
    expect(await call(tools, "unload_context", tea)).toBe(
      'Unloaded "tea" from skills. Context reclaimed.',
    );
    expect(await call(tools, "unload_context", tea)).toBe(notLoaded);
    expect(await call(tools, "load_context", tea)).toBe("Boil water.");
    expect(await call(tools, "load_context", { label: "skills", key: "none" })).toBe(
      "Not found: none",
    );
    expect(await call(tools, "unload_context", { label: "skills", key: "before" })).toBe(
      'Unloaded "before" from skills. Context reclaimed.',
    );
    expect(await call(tools, "load_context", { label: "none", key: "x" })).toBe(
      'Error: Block "none" not found',
    );
  });

  test("refuse with data, since a document may begin with any words", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("codes", "Not found: 404. Error: 500.");
    const tools = contextTools(blocksOf({ skills }), nothingLoaded);
    const load = (key: string) => output(tools, "load_context", { label: "skills", key });
    expect(await load("codes")).toBe("Not found: 404. Error: 500.");
    expect(await load("none")).toEqual({ outcome: "refused", reason: "Not found: none" });
    expect(await output(tools, "unload_context", { label: "skills", key: "none" })).toMatchObject({
      outcome: "refused",
    });
    expect(await call(tools, "unload_context", { label: "skills", key: "codes" })).toMatch(
      /^Unloaded/,
    );
  });

  test("name what is loaded, unless the descriptions are to stay the same", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("tea", "Boil water.");
    const session = Session.create(new InMemorySessionStore()).withContext("skills", {
      provider: skills,
    });
    const described = async (options?: ToolsOptions) =>
      (await session.tools(options)).unload_context?.description;
    const before = await described();
    const load = toolCall("load_context", { label: "skills", key: "tea" }, "Boil water.");
    await session.appendMessage(assistant("a1", "", load));
    expect(await described()).toBe(`${before} Currently loaded: skills:tea.`);
    expect(await described({ listsLoaded: false })).toBe(before);
  });
});

describe("search_context", () => {
  test("returns the entries found, or says that there are none", async () => {
    const knowledge = new InMemorySearchProvider();
    await knowledge.set("fruit", "Ripe apples");
    const failing = { get: () => "", search: () => Promise.reject(new Error("index gone")) };
    const tools = contextTools(blocksOf({ knowledge, failing }), nothingLoaded);
    const said = (label: string, query: string) => call(tools, "search_context", { label, query });
    expect(await said("knowledge", "apples")).toBe("[fruit]\nRipe apples");
    expect(await said("knowledge", "pears")).toBe("No results found.");
    expect(await said("failing", "x")).toBe('Error: Block "failing" could not be used: index gone');
  });
});

test("session_search says where each hit was", async () => {
  const hit = {
    id: "m1",
    sessionId: "s1",
    role: "user",
    content: "I like apples",
    createdAt: new Date("2026-02-03T04:05:06Z"),
    score: 1,
    snippet: { text: "I like apples", marks: [] },
    place: "active",
    sessionTitle: "Fruit",
  } as const;
  const tools = {
    session_search: sessionSearchTool(async (query) => (query === "apples" ? [hit] : [])),
  };
  expect(await call(tools, "session_search", { query: "apples" })).toBe(
    "[Fruit, 2026-02-03, user]\nI like apples",
  );
  expect(await call(tools, "session_search", { query: "pears" })).toBe("No results found.");
});

test("session_search finds other messages than the one that asks", async () => {
  const hit = (id: string, place: "active" | "summary") => ({
    id,
    sessionId: "s1",
    role: "user" as const,
    content: id,
    createdAt: new Date("2026-02-03T04:05:06Z"),
    score: 1,
    snippet: { text: `${id} ${place}`, marks: [] },
    place,
  });
  const hits = [hit("q9", "active"), hit("q9", "summary"), hit("q1", "active")];
  const asking = { sessionId: "s1", id: "q9" };
  const tools = { session_search: sessionSearchTool(async () => hits, asking) };
  const found = await call(tools, "session_search", { query: "apples" });
  expect(found).toBe("[s1, 2026-02-03, summary]\nq9 summary\n\n[s1, 2026-02-03, user]\nq1 active");
  const only = { session_search: sessionSearchTool(async () => hits.slice(0, 1), asking) };
  expect(await call(only, "session_search", { query: "apples" })).toBe("No results found.");
});

describe("entryKeyFor", () => {
  test.each([
    ["Style guide", "style-guide"],
    ["style-guide", "style-guide"],
    ["  API  v2 ", "api-v2"],
    ["C", "c"],
    ["東京 案内", "東京-案内"],
  ])("reads %j as %j", (title, key) => {
    expect(entryKeyFor(title)).toBe(key);
  });

  test("keeps apart titles that read alike", () => {
    const titles = ["C", "C++", "C#", "c-", "!!!", "???", "x".repeat(90), "x".repeat(91)];
    expect(new Set(titles.map(entryKeyFor)).size).toBe(titles.length);
    expect(entryKeyFor("C++")).toBe(entryKeyFor("c++"));
    expect(entryKeyFor("C++")).toMatch(/^c-[0-9a-z]+$/);
  });
});
