import {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  type ContextProvider,
  diffLines,
  InMemorySearchProvider,
  InMemorySessionStore,
  InMemorySkillProvider,
  isSearchProvider,
  isSkillProvider,
  isVersionedProvider,
  isWritableProvider,
  NotSupportedError,
  type SearchProvider,
  Session,
  SessionManager,
  type SkillProvider,
  type WritableContextProvider,
} from "grove-session";
import {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSessionStore,
  PostgresSkillProvider,
} from "grove-session/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("the four kinds", async () => {
    const store = openStore();

    const session = Session.create(store)
      .withContext("soul", {
        description: "Identity",
        provider: { get: () => "You answer briefly." },
      })
      .withContext("memory", { description: "Learned facts", maxTokens: 1100 })
      .withContext("knowledge", { provider: new InMemorySearchProvider() })
      .withContext("skills", { provider: new InMemorySkillProvider() });

    const blocks = await session.getContextBlocks();
    expect(
      blocks.map(({ label, writable, isSearchable, isSkill }) => {
        return [label, writable, isSearchable, isSkill];
      }),
    ).toEqual([
      ["soul", false, false, false],
      ["memory", true, false, false],
      ["knowledge", true, true, false],
      ["skills", true, false, true],
    ]);
  });

  test("reading and writing", async () => {
    const session = Session.create(openStore()).withContext("memory", {
      description: "Learned facts",
      maxTokens: 1100,
    });

    await session.replaceContextBlock("memory", "User likes coffee.");
    await session.appendContextBlock("memory", "User prefers dark roast.");
    const block = await session.getContextBlock("memory");

    expect(block).toEqual({
      id: "memory",
      label: "memory",
      description: "Learned facts",
      content: "User likes coffee.\nUser prefers dark roast.",
      tokens: 11,
      maxTokens: 1100,
      writable: true,
      isSkill: false,
      isSearchable: false,
      version: 2,
    });
    expect(await session.getContextBlock("nowhere")).toBeNull();
  });

  test("what is refused", async () => {
    const session = Session.create(openStore())
      .withContext("soul", { provider: { get: () => "You answer briefly." } })
      .withContext("memory", { maxTokens: 4 });

    await session.replaceContextBlock("memory", "one two three");
    const refused = [
      session.appendContextBlock("memory", "four"),
      session.replaceContextBlock("soul", "Talk at length."),
      session.replaceContextBlock("todos", "Buy tea."),
      session.addContext("memory"),
    ];

    const errors = [BlockTooLargeError, BlockReadonlyError, BlockNotFoundError, BlockExistsError];
    const words = [
      'Block "memory" exceeds maxTokens: 6 > 4',
      'Block "soul" is readonly',
      'Block "todos" not found',
      'Block "memory" already exists',
    ];
    const results = await Promise.allSettled(refused);
    const reasons = results.map((result) => (result.status === "rejected" ? result.reason : null));
    expect(reasons.map((reason) => reason?.constructor)).toEqual(errors);
    expect(reasons.map((reason) => reason?.message)).toEqual(words);
    expect((await session.getContextBlock("memory"))?.content).toBe("one two three");
  });

  test("versions", async () => {
    const session = Session.create(openStore()).withContext("memory");
    const provenance = { author: "model", sessionId: "default", messageId: "a1" } as const;
    await session.replaceContextBlock("memory", "Likes tea.", { provenance });
    await session.replaceContextBlock("memory", "Likes coffee.");

    const [newest, first] = await session.memory.getVersions("memory");
    const changes = diffLines(first?.content ?? "", newest?.content ?? "");
    await session.memory.restoreVersion("memory", 1);

    expect(first).toMatchObject({ version: 1, content: "Likes tea.", provenance });
    expect(first?.createdAt).toBeInstanceOf(Date);
    expect(changes).toEqual([
      { kind: "removed", line: "Likes tea." },
      { kind: "added", line: "Likes coffee." },
    ]);
    expect(await session.getContextBlock("memory")).toMatchObject({
      content: "Likes tea.",
      version: 3,
    });
    await expect(session.memory.restoreVersion("memory", 9)).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });

  test("compare and set", async () => {
    const session = Session.create(openStore()).withContext("memory");
    const seen = await session.getContextBlock("memory");
    await session.replaceContextBlock("memory", "Written by somebody else.");

    const late = session.replaceContextBlock("memory", "Written without looking.", {
      expectedVersion: seen?.version,
    });

    await expect(late).rejects.toThrow(BlockConflictError);
    await expect(late).rejects.toMatchObject({ expectedVersion: 0, currentVersion: 1 });
    expect((await session.getContextBlock("memory"))?.content).toBe("Written by somebody else.");
  });

  test("appends at the same time", async () => {
    const store = openStore();
    const open = () => Session.create(store).forSession("s").withContext("memory");
    await open().replaceContextBlock("memory", "first");
    await Promise.all(
      ["a", "b", "c", "d"].map((line) => open().appendContextBlock("memory", line)),
    );
    const content = (await open().getContextBlock("memory"))?.content ?? "";
    expect(content.split("\n").toSorted()).toEqual(["a", "b", "c", "d", "first"]);
  });

  test("scopes", async () => {
    const sessions = SessionManager.create(openStore())
      .withContext("memory", { scope: "owner" })
      .withContext("todos", { scope: "session" });
    const [one, two] = [await sessions.create("One"), await sessions.create("Two")];

    await sessions.getSession(one.id).replaceContextBlock("memory", "Lives in Zürich.");
    await sessions.getSession(one.id).replaceContextBlock("todos", "Buy tea.");
    const elsewhere = await sessions.getSession(two.id).getContextBlocks();

    expect(elsewhere.map(({ content }) => content)).toEqual(["Lives in Zürich.", ""]);
  });

  test("adding and removing at run time", async () => {
    const session = Session.create(openStore()).withContext("memory").withCachedPrompt();
    await session.freezeSystemPrompt();

    await session.addContext("notes", { description: "From an extension", maxTokens: 500 });
    await session.replaceContextBlock("notes", "Something to know.");
    const changes = await session.memory.getPromptChanges();
    await session.refreshSystemPrompt();
    const removed = await session.removeContext("notes");

    expect(changes).toMatchObject([{ label: "notes", change: "added" }]);
    expect(removed).toBe(true);
    expect(await session.removeContext("notes")).toBe(false);
    expect((await session.addContext("notes"))?.content).toBe("Something to know.");
  });
});

const examples = {
  readonly: { get: async () => "Static content here" } satisfies ContextProvider,
  writable: notebook(),
  skills: shelf(new Map([["tea", "Boil water, wait three minutes."]])),
  knowledge: index(new Map([["tea", "Green tea steeps two minutes."]])),
};

function notebook(): WritableContextProvider {
  let text = "";
  return {
    get: async () => text,
    set: async (content) => {
      text = content;
    },
  };
}

function shelf(documents: Map<string, string>): SkillProvider {
  return {
    get: async () => [...documents.keys()].map((key) => `- ${key}`).join("\n"),
    load: async (key) => documents.get(key) ?? null,
    set: async (key, content) => void documents.set(key, content),
  };
}

function index(entries: Map<string, string>): SearchProvider {
  return {
    get: async () => `${entries.size} entries indexed`,
    search: async (query) => [...entries.values()].find((text) => text.includes(query)) ?? null,
    set: async (key, content) => void entries.set(key, content),
  };
}

describe("providers of your own", () => {
  test("are told apart by what they can do", () => {
    const { readonly, writable, skills, knowledge } = examples;
    const kinds = [readonly, writable, skills, knowledge].map((provider) => [
      isWritableProvider(provider),
      isSkillProvider(provider),
      isSearchProvider(provider),
      isVersionedProvider(provider),
    ]);
    expect(kinds).toEqual([
      [false, false, false, false],
      [true, false, false, false],
      [true, true, false, false],
      [true, false, true, false],
    ]);
  });

  test("give their session the tools that go with them", async () => {
    const session = Session.create(new InMemorySessionStore())
      .withContext("about", { provider: examples.readonly })
      .withContext("notes", { provider: examples.writable })
      .withContext("skills", { provider: examples.skills })
      .withContext("knowledge", { provider: examples.knowledge });

    const tools = await session.tools();

    expect(Object.keys(tools).toSorted()).toEqual([
      "load_context",
      "search_context",
      "set_context",
      "unload_context",
    ]);
    await session.replaceContextBlock("notes", "Seen.");
    await session.memory.setEntry("skills", { key: "coffee", content: "Grind beans." });
    expect((await session.getContextBlocks()).map(({ content }) => content)).toEqual([
      "Static content here",
      "Seen.",
      "- tea\n- coffee",
      "1 entries indexed",
    ]);
    await expect(session.memory.getVersions("notes")).rejects.toThrow(NotSupportedError);
    await expect(session.memory.getEntries("skills")).rejects.toThrow(NotSupportedError);
  });

  test("that fail say so in their own block only", async () => {
    const session = Session.create(new InMemorySessionStore())
      .withContext("news", { provider: { get: () => Promise.reject(new Error("feed is away")) } })
      .withContext("slow", { provider: { get: () => new Promise<string>(() => undefined) } })
      .withContext("memory")
      .withProviderDeadline(20);

    const blocks = await session.getContextBlocks();

    expect(blocks.map(({ label, error }) => [label, error])).toEqual([
      ["news", 'Block "news" could not be used: feed is away'],
      ["slow", 'Block "slow" could not be used: no answer within 0.02 s'],
      ["memory", undefined],
    ]);
    expect(await session.freezeSystemPrompt()).toContain(
      '(not available: Block "news" could not be used: feed is away)',
    );
  });
});

describe("providers in Postgres", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("stand behind blocks", async () => {
    const { sql } = database;
    const ownerId = "ada";

    const session = Session.create(new PostgresSessionStore(sql, ownerId))
      .withContext("memory", {
        provider: new PostgresContextProvider(sql, { ownerId, label: "memory" }),
      })
      .withContext("todos", {
        provider: (sessionId) =>
          new PostgresContextProvider(sql, { ownerId, label: "todos", sessionId }),
      })
      .withContext("knowledge", {
        provider: new PostgresSearchProvider(sql, { ownerId, label: "knowledge" }),
      })
      .withContext("skills", {
        provider: new PostgresSkillProvider(sql, { ownerId, label: "skills" }),
      });
    await session.memory.setEntry(
      "skills",
      { key: "tea", content: "Boil water.", description: "How to make tea" },
      { title: "Tea" },
    );

    const [entry] = await session.memory.getEntries("skills");
    const versions = await session.memory.getVersions("skills", { key: "tea" });
    await session.memory.removeEntry("skills", "tea");

    expect(entry).toMatchObject({
      key: "tea",
      title: "Tea",
      description: "How to make tea",
      content: "Boil water.",
      version: 1,
    });
    expect(versions).toHaveLength(1);
    expect(await session.memory.getEntries("skills")).toEqual([]);
    await session.memory.restoreVersion("skills", 1, { key: "tea" });
    expect(await session.memory.getEntries("skills")).toMatchObject([{ content: "Boil water." }]);
    expect((await session.getContextBlock("skills"))?.content).toBe("- tea: How to make tea");
    expect((await session.getContextBlock("knowledge"))?.content).toBe("");
  });
});
