import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { createCompactFunction } from "./compaction/create-compact-function";
import { NotSupportedError } from "./errors";
import { InMemoryDocument } from "./in-memory/in-memory-document";
import { InMemorySkillProvider } from "./in-memory/in-memory-entries";
import { InMemorySessionProvider } from "./in-memory/in-memory-session-provider";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import type { SessionMessage } from "./message";
import { Session } from "./session";
import type { SessionProvider } from "./session-provider";
import { assistant, dynamicToolCall, ids, toolCall, user } from "./testing";

const soul = { provider: { get: async () => "You are helpful." } };
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => {
    const make = (from + n) % 2 === 1 ? user : assistant;
    return make(`m${from + n}`, `${from + n} ${"x".repeat(80)}`);
  });

async function appendAll(session: Session, messages: readonly SessionMessage[]): Promise<void> {
  for (const message of messages) await session.appendMessage(message);
}

/** The twelve documented methods over a plain list, synchronous and without dates. */
function documentedCore(): SessionProvider & { limits: unknown[] } {
  const messages: SessionMessage[] = [];
  const limits: unknown[] = [];
  return {
    limits,
    getMessage: (id) => messages.find((message) => message.id === id) ?? null,
    getHistory: () => [...messages],
    getLatestLeaf: () => messages.at(-1) ?? null,
    getBranches: () => [],
    getPathLength: () => messages.length,
    appendMessage: (message) => void messages.push(message),
    updateMessage: () => undefined,
    deleteMessages: () => undefined,
    clearMessages: () => void messages.splice(0),
    addCompaction: (summary, fromMessageId, toMessageId) => ({
      id: "c",
      summary,
      fromMessageId,
      toMessageId,
      createdAt: new Date(),
    }),
    getCompactions: () => [],
    searchMessages: (_, limit) => {
      limits.push(limit);
      return [];
    },
  };
}

describe("setting up", () => {
  test("works in any order, over a provider or a store", async () => {
    const provider = new InMemorySessionProvider();
    for (const source of [provider, new InMemorySessionStore()]) {
      const session = Session.create(source)
        .withCachedPrompt()
        .compactAfter(100_000)
        .withContext("memory", { description: "Learned facts", maxTokens: 1100 })
        .onCompaction(async () => null)
        .withContext("soul", soul)
        .forSession("s1");
      await session.appendMessage(user("q1"));
      expect(ids(await session.getHistory())).toEqual(["q1"]);
      expect((await session.getContextBlocks()).map(({ label }) => label)).toEqual([
        "memory",
        "soul",
      ]);
    }
  });

  test("works with the constructor alone", async () => {
    const session = new Session(new InMemorySessionProvider(), {
      context: [{ label: "memory", provider: new InMemoryDocument("memory"), maxTokens: 500 }],
    });
    await session.replaceContextBlock("memory", "User likes coffee.");
    expect(await session.getContextBlock("memory")).toMatchObject({
      content: "User likes coffee.",
      maxTokens: 500,
    });
  });

  test("takes messages of the AI SDK as they are", async () => {
    const message: UIMessage = {
      id: "q1",
      role: "user",
      parts: [
        { type: "text", text: "Hello", state: "done" },
        { type: "file", mediaType: "image/png", url: "data:" },
      ],
    };
    const session = Session.create(new InMemorySessionProvider());
    await session.appendMessage(message);
    expect(await session.getMessage("q1")).toMatchObject(message);
  });

  test("is refused once the session is in use", async () => {
    const session = Session.create(new InMemorySessionProvider());
    await session.getHistory();
    expect(() => session.withContext("late")).toThrow("before its first use");
    expect(() => session.forSession("late")).toThrow("before its first use");
  });

  test("two sessions of a store share what belongs to the owner only", async () => {
    const store = new InMemorySessionStore();
    const open = (id: string) =>
      Session.create(store)
        .forSession(id)
        .withContext("todos")
        .withContext("memory", { scope: "owner" });
    await open("a").replaceContextBlock("memory", "everywhere");
    await open("a").replaceContextBlock("todos", "here");
    expect((await open("b").getContextBlocks()).map(({ content }) => content)).toEqual([
      "",
      "everywhere",
    ]);
    expect((await open("a").getContextBlocks()).map(({ content }) => content)).toEqual([
      "here",
      "everywhere",
    ]);
  });

  test("a session is registered with its store at the first write", async () => {
    const store = new InMemorySessionStore();
    const session = Session.create(store).forSession("s1");
    expect(await session.getHistory()).toEqual([]);
    expect(await store.sessions.get("s1")).toBeNull();
    await session.appendMessage(user("q1"));
    expect((await store.sessions.get("s1"))?.messageCount).toBe(1);
  });

  test("whatever the first write is, it meets a session that is there", async () => {
    const skill = { label: "skills", key: "tea" };
    const unknown = { code: expect.stringMatching(/^(message|compaction|deletion)-not-found$/) };
    const open = () => Session.create(new InMemorySessionStore());
    await open().clearMessages();
    await open().recordSkillEvent(skill, "load");
    expect((await open().deleteMessages(["q1"])).messageIds).toEqual([]);
    for (const attempt of [
      () => open().updateMessage(user("q1")),
      () => open().setActiveLeaf("q1"),
      () => open().setPinned("q1", true),
      () => open().addCompaction("S", "q1", "q1"),
      () => open().updateCompaction("c", "S"),
      () => open().removeCompaction("c"),
      () => open().restoreCompaction("c"),
      () => open().restoreMessages("d"),
    ]) {
      await expect(attempt()).rejects.toMatchObject(unknown);
    }
  });
});

describe("storage of the documented core", () => {
  test("is enough for conversation, blocks, prompt, tools and compaction", async () => {
    const core = documentedCore();
    const session = Session.create(core)
      .withContext("memory")
      .onCompaction(
        createCompactFunction({
          summarize: async () => "short",
          protectHead: 1,
          tailTokenBudget: 60,
        }),
      );
    const result = await session.appendMessage(user("m0"));
    expect(result).toMatchObject({
      inserted: true,
      parentId: null,
      message: { createdAt: expect.any(Date) },
    });
    expect((await session.appendMessage(assistant("a0"))).parentId).toBe("m0");
    await appendAll(session, numbered(1, 8));
    expect((await session.compact())?.summary).toBe("short");
    expect(await session.deleteMessages(["m0"])).toEqual({ deletionId: "", messageIds: ["m0"] });
    expect(await session.search("x", { limit: 3 })).toEqual([]);
    expect(core.limits).toEqual([3]);
    expect(Object.keys(await session.tools())).toEqual(["set_context"]);
    expect(await session.freezeSystemPrompt()).toContain("MEMORY [writable]");
  });

  test("knows loaded skills from the history itself", async () => {
    const session = Session.create(documentedCore());
    const guide = { label: "skills", key: "guide" };
    await session.appendMessage(
      assistant("a1", "", dynamicToolCall("load_context", guide, "text")),
    );
    expect(await session.getLoadedSkills()).toEqual([guide]);
  });

  test("says what it does not support", async () => {
    const session = Session.create(documentedCore());
    await expect(session.getTree()).rejects.toThrow(NotSupportedError);
    await expect(session.restoreMessages("d")).rejects.toThrow(
      "This storage does not support undoing a deletion.",
    );
    await expect(session.setActiveLeaf("x")).rejects.toThrow(NotSupportedError);
  });
});

describe("the frozen prompt", () => {
  const open = (store: InMemorySessionStore) =>
    Session.create(store)
      .forSession("s1")
      .withContext("soul", soul)
      .withContext("memory")
      .withCachedPrompt();

  test("stays the same until refreshed, whatever is written, and says what has changed", async () => {
    const session = open(new InMemorySessionStore());
    expect(await session.getPromptChanges()).toEqual([]);
    const frozen = await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "Likes tea.");
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.getPromptChanges()).toEqual([
      { label: "memory", change: "changed", before: "", after: "Likes tea." },
    ]);
    const refreshed = await session.refreshSystemPrompt();
    expect(refreshed).toContain("Likes tea.");
    expect(await session.freezeSystemPrompt()).toBe(refreshed);
    expect(await session.getPromptChanges()).toEqual([]);
  });

  test("survives the process when it is cached", async () => {
    const store = new InMemorySessionStore();
    const frozen = await open(store).freezeSystemPrompt();
    await open(store).appendContextBlock("memory", "Likes tea.");
    expect(await open(store).freezeSystemPrompt()).toBe(frozen);
  });

  test("is rendered anew by clearing messages", async () => {
    const session = open(new InMemorySessionStore());
    await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "Likes tea.");
    await session.clearMessages();
    expect(await session.freezeSystemPrompt()).toContain("Likes tea.");
  });

  test("is the same on every turn while a block cannot be read, and takes it up when it can", async () => {
    let attempts = 0;
    let answer: string | null = null;
    const provider = {
      get: () => {
        attempts++;
        if (answer === null) throw new Error(`disk on fire, attempt ${attempts}`);
        return answer;
      },
    };
    const store = new InMemorySessionStore();
    const turn = () =>
      Session.create(store)
        .withContext("soul", { provider })
        .withContext("memory")
        .withCachedPrompt();
    const frozen = await turn().freezeSystemPrompt();
    expect(frozen).toContain("(not available: ");
    await turn().appendContextBlock("memory", "Likes tea.");
    expect(await turn().freezeSystemPrompt()).toBe(frozen);
    expect((await turn().freezeVersionedPrompt()).prompt).toBe(frozen);
    expect((await turn().getPromptChanges()).map(({ label }) => label)).toEqual(["memory"]);
    answer = "Be kind.";
    const healed = await turn().freezeSystemPrompt();
    expect(healed).toContain("Be kind.");
    const before = attempts;
    expect(await turn().freezeSystemPrompt()).toBe(healed);
    expect(attempts).toBe(before);
  });

  test("forgets a block that could not be read and has nothing to say", async () => {
    let isBroken = true;
    const get = () => (isBroken ? Promise.reject(new Error("away")) : "");
    const session = Session.create(new InMemorySessionStore())
      .withContext("soul", { provider: { get } })
      .withContext("memory");
    expect(await session.freezeSystemPrompt()).toContain("SOUL");
    isBroken = false;
    expect(await session.freezeSystemPrompt()).not.toContain("SOUL");
  });

  test("does not take what somebody writes for a block that could not be read", async () => {
    const session = open(new InMemorySessionStore());
    await session.replaceContextBlock("memory", "(not available: a shop)");
    const frozen = await session.freezeSystemPrompt();
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.getPromptChanges()).toEqual([]);
  });

  test("takes blocks added and removed at run time when refreshed", async () => {
    const session = open(new InMemorySessionStore());
    const frozen = await session.freezeSystemPrompt();
    expect(await session.addContext("notes", { maxTokens: 500 })).toMatchObject({
      label: "notes",
      writable: true,
    });
    await expect(session.addContext("notes")).rejects.toThrow('Block "notes" already exists');
    expect(await session.removeContext("memory")).toBe(true);
    expect(await session.removeContext("memory")).toBe(false);
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.refreshSystemPrompt()).toContain("NOTES [0% — 0/500 tokens] [writable]");
  });
});

describe("compaction", () => {
  function compacting(summarize: (prompt: string) => Promise<string> = async () => "short") {
    const provider = new InMemorySessionProvider();
    const errors: unknown[] = [];
    const session = Session.create(provider)
      .withContext("memory")
      .onCompaction(createCompactFunction({ summarize, protectHead: 1, tailTokenBudget: 60 }))
      .onCompactionError((error) => errors.push(error));
    return { provider, session, errors };
  }

  test("on demand shows a summary and refreshes the prompt", async () => {
    const { session } = compacting();
    await appendAll(session, numbered(1, 8));
    const frozen = await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "new");
    const compaction = await session.compact(undefined, { focus: "names" });
    expect(compaction).toMatchObject({
      summary: "short",
      fromMessageId: "m2",
      toMessageId: "m6",
      metadata: { author: "model", focus: "names", tokensBefore: await tokensOf(numbered(1, 8)) },
    });
    expect(ids(await session.getHistory())).toEqual([
      "m1",
      `compaction_${compaction?.id}`,
      "m7",
      "m8",
    ]);
    expect(compaction?.metadata?.tokensAfter).toBe((await session.countTokens()) - 4);
    expect(await session.freezeSystemPrompt()).not.toBe(frozen);
  });

  test("replaces an earlier summary, which shows again when the new one is removed", async () => {
    const prompts: string[] = [];
    const { session } = compacting(async (prompt) => {
      prompts.push(prompt);
      return `summary ${prompts.length}`;
    });
    await appendAll(session, numbered(1, 8));
    await session.compact();
    await appendAll(session, numbered(9, 14));
    const second = await session.compact();
    expect(prompts[1]).toContain("<previous-summary>\nsummary 1");
    expect(texts(await session.getHistory())).toEqual(["1", "summary 2", "13", "14"]);
    await session.removeCompaction(second?.id ?? "");
    expect(texts(await session.getHistory())).toEqual([
      "1",
      "summary 1",
      "7",
      "8",
      "9",
      "10",
      "11",
      "12",
      "13",
      "14",
    ]);
  });

  test("works on another branch, and leaves siblings untouched", async () => {
    const { session } = compacting();
    await appendAll(session, numbered(1, 9));
    await session.appendMessage(user("side"), "m2");
    const compaction = await session.compact("m9");
    expect(compaction?.toMessageId).toBe("m6");
    expect(ids(await session.getHistory())).toEqual(["m1", "m2", "side"]);
  });

  test("gives up when the range was changed while the summary was written", async () => {
    let change = async (): Promise<unknown> => undefined;
    const { session } = compacting(async () => {
      await change();
      return "short";
    });
    await appendAll(session, numbered(1, 8));
    change = () => session.updateMessage(assistant("m4", "edited"));
    expect(await session.compact()).toBeNull();
    change = () => session.addCompaction("by hand", "m2", "m3");
    expect(await session.compact()).toBeNull();
    change = () => session.appendMessage(user("m9"));
    expect(await session.compact()).not.toBeNull();
  });

  test("of the same session takes turns, over any number of objects", async () => {
    const store = new InMemorySessionStore();
    let running = 0;
    let most = 0;
    const open = () =>
      Session.create(store).onCompaction(
        createCompactFunction({
          protectHead: 1,
          tailTokenBudget: 60,
          summarize: async () => {
            most = Math.max(most, ++running);
            await Promise.resolve();
            running--;
            return "short";
          },
        }),
      );
    await appendAll(open(), numbered(1, 8));
    const results = await Promise.all([open().compact(), open().compact()]);
    expect(most).toBe(1);
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("needs a function", async () => {
    await expect(Session.create(new InMemorySessionProvider()).compact()).rejects.toThrow(
      "onCompaction()",
    );
  });

  test("runs by itself when the history is strictly over the threshold", async () => {
    const messages = numbered(1, 8);
    const total = await tokensOf(messages);
    for (const [threshold, expected] of [
      [total, 0],
      [total - 1, 1],
    ] as const) {
      const { session } = compacting();
      session.compactAfter(threshold);
      await appendAll(session, messages);
      expect(await session.getCompactions()).toHaveLength(expected);
    }
  });

  test("takes a share of a window and a counter of its own", async () => {
    const byShare = compacting().session.compactAfter({ share: 0.8, contextWindow: 200 });
    await appendAll(byShare, numbered(1, 8));
    expect(await byShare.getCompactions()).toHaveLength(1);
    const counted = compacting().session.compactAfter(7, {
      tokenCounter: (messages) => messages.length,
    });
    await appendAll(counted, numbered(1, 7));
    expect(await counted.countTokens()).toBe(7);
    expect(await counted.getCompactions()).toEqual([]);
    expect(() =>
      Session.create(new InMemorySessionProvider())
        .compactAfter(0)
        .on("append", () => undefined),
    ).toThrow("positive");
  });

  test("counts what a call carries besides the messages, where it is told of it", async () => {
    const messages = numbered(1, 8);
    const total = await tokensOf(messages);
    for (const [besides, expected] of [
      [100, 0],
      [101, 1],
    ] as const) {
      const session = compacting().session.compactAfter(total + 100, {
        contextTokens: async (history) => (await tokensOf(history)) + besides,
      });
      await appendAll(session, messages);
      expect(await session.getCompactions()).toHaveLength(expected);
    }
  });

  test("does not keep the append waiting when told so", async () => {
    let release: ((summary: string) => void) | undefined;
    const { session } = compacting(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    session.compactAfter(190, { background: true });
    await appendAll(session, numbered(1, 8));
    expect(await session.getCompactions()).toEqual([]);
    await expect.poll(() => release).toBeDefined();
    release?.("short");
    await session.compactionSettled();
    expect(texts(await session.getHistory())).toContain("short");
  });

  test("that fails never fails the append, is reported, and is not tried at every message", async () => {
    let attempts = 0;
    const { session, errors } = compacting(async () => {
      attempts++;
      throw new Error("model gone");
    });
    session.compactAfter(150);
    await appendAll(session, numbered(1, 8));
    expect(attempts).toBe(1);
    await appendAll(session, numbered(9, 16));
    expect(attempts).toBeGreaterThan(1);
    expect(attempts).toBeLessThan(5);
    expect(errors).toHaveLength(attempts);
    expect(errors[0]).toMatchObject({ message: "model gone" });
    expect(await session.getPathLength()).toBe(16);
  });

  test("is not tried at every message when it cannot get below the threshold", async () => {
    let attempts = 0;
    const { session } = compacting(async () => `short ${++attempts}`);
    session.compactAfter(60);
    await appendAll(session, numbered(1, 40));
    expect(attempts).toBeLessThan(20);
    expect(attempts).toBeGreaterThan(2);
  });

  test("is not disturbed by a handler that fails", async () => {
    const session = Session.create(new InMemorySessionProvider())
      .onCompaction(async () => Promise.reject(new Error("model gone")))
      .compactAfter(10)
      .onCompactionError(() => {
        throw new Error("handler gone");
      });
    expect((await session.appendMessage(numbered(1, 1)[0] ?? user("x"))).inserted).toBe(true);
  });

  test("can be considered before a model call", async () => {
    const { session, provider } = compacting();
    session.compactAfter(150);
    for (const message of numbered(1, 8)) await provider.appendMessage(message);
    expect((await session.compactIfNeeded())?.summary).toBe("short");
    expect(await session.compactIfNeeded()).toBeNull();
  });
});

describe("versions of blocks", () => {
  test("are kept with their writer, and any can be restored", async () => {
    const skills = new InMemorySkillProvider();
    const session = Session.create(new InMemorySessionStore())
      .withContext("memory")
      .withContext("skills", { provider: skills })
      .withContext("soul", soul);
    await session.replaceContextBlock("memory", "one", { provenance: { author: "person" } });
    await session.replaceContextBlock("memory", "two");
    await session.restoreContextVersion("memory", 1);
    expect((await session.getContextVersions("memory")).map(({ content }) => content)).toEqual([
      "one",
      "two",
      "one",
    ]);
    await session.setContextEntry("skills", { key: "tea", content: "Boil." });
    await session.removeContextEntry("skills", "tea");
    expect(await session.getContextEntries("skills")).toEqual([]);
    await session.restoreContextVersion("skills", 1, { key: "tea" });
    expect(await session.getContextEntries("skills")).toMatchObject([
      { key: "tea", content: "Boil." },
    ]);
    await session.restoreContextVersion("skills", 2, { key: "tea" });
    expect(await session.getContextVersions("skills", { key: "tea", limit: 1 })).toMatchObject([
      { content: null },
    ]);
    await expect(session.restoreContextVersion("memory", 9)).rejects.toThrow(
      'Block "memory" has no version 9.',
    );
    await expect(session.getContextVersions("soul")).rejects.toThrow(NotSupportedError);
    await expect(session.getContextEntries("memory")).rejects.toThrow(NotSupportedError);
    await expect(session.getContextVersions("none")).rejects.toThrow('Block "none" not found');
  });

  test("keep a model from replacing what a person has changed meanwhile", async () => {
    const session = Session.create(new InMemorySessionStore()).withContext("memory");
    await session.replaceContextBlock("memory", "seen");
    const { set_context } = await session.tools();
    const write = (content: string) =>
      set_context?.execute?.(
        { label: "memory", content },
        { toolCallId: "c", messages: [], context: {} },
      );
    await session.replaceContextBlock("memory", "by a person");
    expect(await write("by the model")).toBe(
      'Error: Block "memory" was changed meanwhile, so nothing was written. It now says:\nby a person',
    );
    expect(await write("both")).toBe("Written to memory. Usage: 2 tokens");
    expect(await write("again")).toBe("Written to memory. Usage: 2 tokens");
  });
});

describe("events", () => {
  test("tell of what a storage without events of its own is given", async () => {
    const heard: unknown[] = [];
    const session = Session.create(new InMemorySessionProvider()).withContext("memory");
    const stop = session.on("append", ({ sessionId, messageId, parentId }) => {
      heard.push(["append", sessionId, messageId, parentId]);
    });
    session.on("update", ({ messageId }) => {
      heard.push(["update", messageId]);
    });
    session.on("delete", ({ messageIds }) => {
      heard.push(["delete", messageIds]);
    });
    session.on("compact", ({ action }) => {
      heard.push(["compact", action]);
    });
    session.on("block-write", ({ label, action }) => {
      heard.push(["block-write", label, action]);
    });
    session.on("usage", ({ cost }) => {
      heard.push(["usage", cost]);
    });
    await session.appendMessage(user("q1"));
    await session.appendMessage(user("q1"));
    stop();
    await session.appendMessage(assistant("a1"));
    await session.updateMessage(assistant("a1", "x"));
    await session.addCompaction("S", "q1", "a1");
    await session.appendContextBlock("memory", "x");
    await session.addUsage({ inputTokens: 1, outputTokens: 2, cost: 0.5 });
    await session.deleteMessages(["a1"]);
    await session.clearMessages();
    expect(heard).toEqual([
      ["append", "default", "q1", null],
      ["update", "a1"],
      ["compact", "add"],
      ["block-write", "memory", "append"],
      ["usage", 0.5],
      ["delete", ["a1"]],
      ["delete", []],
    ]);
  });

  test("a listener that fails breaks no write and is reported", async () => {
    const errors: unknown[] = [];
    const session = Session.create(new InMemorySessionProvider()).onListenerError((error) =>
      errors.push(error),
    );
    session.on("append", () => {
      throw new Error("sync");
    });
    session.on("append", async () => Promise.reject(new Error("async")));
    expect((await session.appendMessage(user("q1"))).inserted).toBe(true);
    await expect.poll(() => errors).toMatchObject([{ message: "sync" }, { message: "async" }]);
  });
});

describe("what the model is sent", () => {
  test("unloading a skill frees its place, loading it again gives the identical document, also under a summary", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("guide", "The guide.");
    const session = Session.create(new InMemorySessionStore()).withContext("skills", {
      provider: skills,
    });
    const guide = { label: "skills", key: "guide" };
    const sent = async () => JSON.stringify(await session.getModelHistory());
    await session.appendMessage(user("q1"));
    await session.appendMessage(assistant("a1", "", toolCall("load_context", guide, "The guide.")));
    await session.appendMessage(user("q2"));
    expect(await sent()).toContain("The guide.");
    await session.recordSkillEvent(guide, "unload");
    expect(await sent()).not.toContain("The guide.");
    await session.recordSkillEvent(guide, "load");
    expect(await sent()).toContain("The guide.");
    await session.addCompaction("S", "q1", "a1");
    expect((await session.getModelHistory())[0]?.parts.map((part) => part.text)).toEqual([
      "S",
      '[Loaded "guide" from skills]\nThe guide.',
    ]);
    expect(JSON.stringify(await session.getHistory())).not.toContain("The guide.");
  });

  test("the tools know what is loaded on the path", async () => {
    const skills = new InMemorySkillProvider();
    await skills.set("guide", "The guide.");
    const session = Session.create(new InMemorySessionProvider()).withContext("skills", {
      provider: skills,
    });
    const guide = { label: "skills", key: "guide" };
    await session.appendMessage(user("q1"));
    await session.appendMessage(assistant("a1", "", toolCall("load_context", guide, "The guide.")));
    const unload = async (leafId?: string) =>
      (await session.tools({ leafId })).unload_context?.execute?.(guide, {
        toolCallId: "c",
        messages: [],
        context: {},
      });
    expect(await unload("q1")).toBe('Skill "guide" is not currently loaded in "skills".');
    expect(await unload()).toBe('Unloaded "guide" from skills. Context reclaimed.');
  });
});

async function tokensOf(messages: readonly SessionMessage[]): Promise<number> {
  const session = Session.create(new InMemorySessionProvider());
  await appendAll(session, messages);
  return session.countTokens();
}

function texts(messages: readonly SessionMessage[]): string[] {
  return messages.map(({ parts }) => String(parts[0]?.text).replace(/ x+$/, ""));
}

test("a row size limit makes messages fit before they are stored, and a retry is still harmless", async () => {
  const session = Session.create(new InMemorySessionProvider()).withRowSizeLimit(8_000);
  const large = assistant("a1", "done", toolCall("list", {}, "x".repeat(20_000)));
  const { message } = await session.appendMessage(large);
  expect(String(message.parts[1]?.output)).toContain("Run list again to see all of it.");
  expect((await session.appendMessage(large)).inserted).toBe(false);
  await session.updateMessage(assistant("a1", "done", toolCall("read", {}, "y".repeat(20_000))));
  expect(String((await session.getMessage("a1"))?.parts[1]?.output)).toContain("Run read again");
});

test("what the model is sent can be chosen, together with messages that are not stored yet", async () => {
  const session = Session.create(new InMemorySessionProvider()).withModelInput(
    (history, newMessages) => [...history.slice(-1), ...newMessages],
  );
  await appendAll(session, [user("q1"), assistant("a1")]);
  const sent = await session.getModelHistory(undefined, { newMessages: [user("q2")] });
  expect(ids(sent)).toEqual(["a1", "q2"]);
  expect(ids(await session.getHistory())).toEqual(["q1", "a1"]);
  const plain = Session.create(new InMemorySessionProvider());
  await plain.appendMessage(user("q1"));
  expect(ids(await plain.getModelHistory(undefined, { newMessages: [user("q2")] }))).toEqual([
    "q1",
    "q2",
  ]);
});
