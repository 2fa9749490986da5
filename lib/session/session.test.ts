import type { UIMessage } from "ai";
import { describe, expect, test, vi } from "vitest";
import { createCompactFunction } from "./compaction/create-compact-function";
import { NotSupportedError } from "./errors";
import { InMemoryDocument } from "./in-memory/in-memory-document";
import { InMemorySkillProvider } from "./in-memory/in-memory-entries";
import { InMemorySessionProvider } from "./in-memory/in-memory-session-provider";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import { Session } from "./session";
import { assistant, dynamicToolCall, ids, toolCall, user } from "./testing";
import { DocumentedCore } from "./testing/documented-core";
import { appendAll, numbered } from "./testing/numbered-messages";

const soul = { provider: { get: async () => "You are helpful." } };

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

  test("registers a session with its store at the first write", async () => {
    const store = new InMemorySessionStore();
    const session = Session.create(store).forSession("s1");
    expect(await session.getHistory()).toEqual([]);
    expect(await store.sessions.get("s1")).toBeNull();
    await session.appendMessage(user("q1"));
    expect((await store.sessions.get("s1"))?.messageCount).toBe(1);
  });

  test("creates the session before any kind of first write", async () => {
    const skill = { label: "skills", key: "tea" };
    const unknown = { code: expect.stringMatching(/^(message|compaction|deletion)-not-found$/) };
    const open = () => Session.create(new InMemorySessionStore());
    await open().clearMessages();
    await open().memory.recordSkillEvent(skill, "load");
    expect((await open().deleteMessages(["q1"])).messageIds).toEqual([]);
    for (const attempt of [
      () => open().updateMessage(user("q1")),
      () => open().tree.setActiveLeaf("q1"),
      () => open().tree.setPinned("q1", true),
      () => open().addCompaction("S", "q1", "q1"),
      () => open().tree.updateCompaction("c", "S"),
      () => open().tree.removeCompaction("c"),
      () => open().tree.restoreCompaction("c"),
      () => open().restoreMessages("d"),
    ]) {
      await expect(attempt()).rejects.toMatchObject(unknown);
    }
  });
});

test("a provider is given its label once, before its first use", async () => {
  const calls: string[] = [];
  const provider = {
    init: (label: string) => void calls.push(`init ${label}`),
    get: () => `get ${calls.push("get")}`,
  };
  const store = new InMemorySessionStore();
  for (const id of ["s1", "s2"]) {
    const session = Session.create(store).forSession(id).withContext("soul", { provider });
    await session.freezeSystemPrompt();
  }
  expect(calls).toEqual(["init soul", "get", "get"]);
});

test("a provider that cannot be initialized does not disturb others", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const init = () => {
    throw new Error("no disk");
  };
  const session = Session.create(new InMemorySessionStore())
    .withContext("broken", { provider: { init, get: () => "x" } })
    .withContext("soul", soul);
  expect(await session.freezeSystemPrompt()).toContain("You are helpful.");
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

describe("storage of the documented core", () => {
  test("is enough for conversation, blocks, prompt, tools and compaction", async () => {
    const core = new DocumentedCore();
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
    const recent = await session.getRecentHistory(1);
    expect(recent.messages).toEqual(await session.getHistory());
    const totalContentBytes = recent.messages.reduce((sum, m) => sum + JSON.stringify(m).length, 0);
    expect(recent).toMatchObject({ omittedMessages: 0, truncated: false, totalContentBytes });
    expect(await session.deleteMessages(["m0"])).toEqual({ deletionId: "", messageIds: ["m0"] });
    expect(await session.search("x", { limit: 3 })).toEqual([]);
    expect(core.limits).toEqual([3]);
    expect(Object.keys(await session.tools())).toEqual(["set_context"]);
    expect(await session.freezeSystemPrompt()).toContain("MEMORY [writable]");
  });

  test("reads loaded skills from the history on storage of the documented core", async () => {
    const session = Session.create(new DocumentedCore());
    const guide = { label: "skills", key: "guide" };
    await session.appendMessage(
      assistant("a1", "", dynamicToolCall("load_context", guide, "text")),
    );
    expect(await session.memory.getLoadedSkills()).toEqual([guide]);
  });

  test("says what it does not support", async () => {
    const session = Session.create(new DocumentedCore());
    await expect(session.tree.getNodes()).rejects.toThrow(NotSupportedError);
    await expect(session.restoreMessages("d")).rejects.toThrow(
      "This storage does not support undoing a deletion.",
    );
    await expect(session.tree.setActiveLeaf("x")).rejects.toThrow(NotSupportedError);
  });
});

describe("versions of blocks", () => {
  test("are stored with their writer, and any can be restored", async () => {
    const skills = new InMemorySkillProvider();
    const session = Session.create(new InMemorySessionStore())
      .withContext("memory")
      .withContext("skills", { provider: skills })
      .withContext("soul", soul);
    await session.replaceContextBlock("memory", "one", { provenance: { author: "person" } });
    await session.replaceContextBlock("memory", "two");
    await session.memory.restoreVersion("memory", 1);
    expect((await session.memory.getVersions("memory")).map(({ content }) => content)).toEqual([
      "one",
      "two",
      "one",
    ]);
    await session.memory.setEntry("skills", { key: "tea", content: "Boil." });
    await session.memory.removeEntry("skills", "tea");
    expect(await session.memory.getEntries("skills")).toEqual([]);
    await session.memory.restoreVersion("skills", 1, { key: "tea" });
    expect(await session.memory.getEntries("skills")).toMatchObject([
      { key: "tea", content: "Boil." },
    ]);
    await session.memory.restoreVersion("skills", 2, { key: "tea" });
    expect(await session.memory.getVersions("skills", { key: "tea", limit: 1 })).toMatchObject([
      { content: null },
    ]);
    await expect(session.memory.restoreVersion("memory", 9)).rejects.toThrow(
      'Block "memory" has no version 9.',
    );
    await expect(session.memory.getVersions("soul")).rejects.toThrow(NotSupportedError);
    await expect(session.memory.getEntries("memory")).rejects.toThrow(NotSupportedError);
    await expect(session.memory.getVersions("none")).rejects.toThrow('Block "none" not found');
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
    expect(await write("by the model")).toEqual({
      outcome: "refused",
      reason:
        'Block "memory" was changed meanwhile, so nothing was written. It now says:\nby a person',
    });
    const written = { outcome: "written", label: "memory", tokens: 2 };
    expect(await write("both")).toEqual(written);
    expect(await write("again")).toEqual(written);
  });
});

describe("events", () => {
  test("report writes to a storage without events of its own", async () => {
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

  test("upserts a message, also when two writers do so at once", async () => {
    const session = Session.create(new InMemorySessionStore());
    const both = ["one", "two"].map((text) => session.upsertMessage(user("q1", text)));
    expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
    expect(await session.upsertMessage(user("q1", "three"))).toBe(false);
    expect((await session.getHistory()).map(({ parts }) => parts[0]?.text)).toEqual(["three"]);
  });

  test("takes no metadata from a client that the server writes", async () => {
    const session = Session.create(new InMemorySessionStore()).withReservedMetadata(["plan"]);
    const client = { source: "client" } as const;
    const forged = { usage: 0, model: "x", summary: "s", plan: "pro", mood: "good" };
    const sent = { ...user("q1"), metadata: forged };
    await session.appendMessage(sent, null, client);
    const stored = async () => (await session.getMessage("q1"))?.metadata;
    expect(await stored()).toEqual({ mood: "good" });
    const written = { usage: 7, plan: "free", mood: "good" };
    await session.updateMessage({ ...user("q1"), metadata: written });
    expect((await session.appendMessage(sent, null, client)).inserted).toBe(false);
    await session.updateMessage(
      { ...user("q1", "b"), metadata: { ...forged, mood: "bad" } },
      client,
    );
    expect(await stored()).toEqual({ usage: 7, plan: "free", mood: "bad" });
    await session.upsertMessage(user("q1", "c"), null, client);
    expect(await stored()).toEqual({ usage: 7, plan: "free" });
    const [added] = await session.appendMessages(
      [{ ...user("q2"), metadata: forged }],
      null,
      client,
    );
    expect(added?.message.metadata).toEqual({ mood: "good" });
  });

  test("emits nothing for an update that changes nothing", async () => {
    const types: string[] = [];
    const session = Session.create(new InMemorySessionStore());
    await session.appendMessage(user("q1"));
    session.on("update", ({ type }) => void types.push(type));
    session.on("save", ({ type }) => void types.push(type));
    await session.updateMessage(user("q1"));
    expect(types).toEqual([]);
    await session.updateMessage(user("q1", "edited"));
    expect(types).toEqual(["update", "save"]);
  });

  test("a listener that fails without a handler is reported once", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const session = Session.create(new InMemorySessionProvider());
    session.on("append", () => Promise.reject(new Error("lamp broken")));
    await appendAll(session, numbered(1, 3));
    await expect
      .poll(() => warn.mock.calls)
      .toEqual([['A listener to "append" failed: lamp broken', new Error("lamp broken")]]);
    warn.mockRestore();
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

describe("model input", () => {
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
    await session.memory.recordSkillEvent(guide, "unload");
    expect(await sent()).not.toContain("The guide.");
    await session.memory.recordSkillEvent(guide, "load");
    expect(await sent()).toContain("The guide.");
    await session.addCompaction("S", "q1", "a1");
    expect((await session.getModelHistory())[0]?.parts.map((part) => part.text)).toEqual([
      "S",
      '[Loaded "guide" from skills]\nThe guide.',
    ]);
    const [summary] = await session.getModelHistory(undefined, { loadedSkills: [] });
    expect(summary?.parts.map((part) => part.text)).toEqual(["S"]);
    expect(JSON.stringify(await session.getHistory())).not.toContain("The guide.");
  });

  test("the tools list the skills loaded on the path", async () => {
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
    expect(await unload("q1")).toMatchObject({ outcome: "refused" });
    expect(await unload()).toBe('Unloaded "guide" from skills. Context reclaimed.');
  });
});

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
