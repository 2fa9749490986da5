import { describe, expect, test, vi } from "vitest";
import { createCompactFunction } from "./compaction/create-compact-function";
import { InvalidArgumentError, SessionNotFoundError } from "./errors";
import { InMemoryDocument } from "./in-memory/in-memory-document";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import { SessionManager } from "./session-manager";
import { assistant, ids, user } from "./testing";

const call = { toolCallId: "c", messages: [], context: {} };

async function manager() {
  const store = new InMemorySessionStore();
  const sessions = SessionManager.create(store)
    .withContext("soul", { provider: { get: async () => "You are helpful." } })
    .withContext("todos", { description: "Tasks" })
    .withContext("memory", { scope: "owner" })
    .withCachedPrompt()
    .onCompaction(
      createCompactFunction({
        summarize: async (prompt) => `summary of ${prompt.match(/user: /g)?.length}`,
      }),
    )
    .withSearchableHistory("history");
  await sessions.create("Chat", { id: "a", model: "m", tags: ["x"] });
  return { store, sessions };
}

describe("SessionManager", () => {
  test("creates, gets, lists, renames, changes, deletes and restores sessions", async () => {
    const { sessions } = await manager();
    await sessions.create("Other", { id: "b" });
    expect(await sessions.get("nowhere")).toBeNull();
    await sessions.rename("a", "Renamed");
    await sessions.update("a", { pinned: true, tags: ["y"] });
    expect((await sessions.list()).map(({ name }) => name)).toEqual(["Renamed", "Other"]);
    await sessions.delete("a");
    expect(await sessions.get("a")).toBeNull();
    await sessions.restore("a");
    expect(await sessions.get("a")).toMatchObject({ name: "Renamed", tags: ["y"] });
  });

  test("opens a new session under an id that was purged", async () => {
    const { sessions } = await manager();
    await sessions.delete("a");
    const old = sessions.getSession("a");
    expect(await sessions.purge(0)).toEqual(["a"]);
    expect(sessions.getSession("a")).not.toBe(old);
  });

  test("lists every session at once, or page by page", async () => {
    const { sessions } = await manager();
    for (const id of ["b", "c", "d"]) await sessions.create(id, { id, tags: ["y"] });
    expect(ids(await sessions.list())).toEqual(["d", "c", "b", "a"]);
    expect(ids(await sessions.list({ limit: 2, tag: "y" }))).toEqual(["d", "c"]);
    const first = await sessions.listPage({ limit: 3 });
    expect(ids(first.sessions)).toEqual(["d", "c", "b"]);
    const second = await sessions.listPage({ limit: 3, cursor: first.nextCursor ?? undefined });
    expect([ids(second.sessions), second.nextCursor]).toEqual([["a"], null]);
  });

  test("gives every session the same set-up, and the same object each time", async () => {
    const { sessions } = await manager();
    await sessions.create("Other", { id: "b" });
    expect(sessions.getSession("a")).toBe(sessions.getSession("a"));
    await sessions.getSession("a").replaceContextBlock("todos", "in a");
    await sessions.getSession("a").replaceContextBlock("memory", "everywhere");
    const blocks = await sessions.getSession("b").getContextBlocks();
    expect(blocks.map(({ label, content }) => [label, content])).toEqual([
      ["soul", "You are helpful."],
      ["todos", ""],
      ["memory", "everywhere"],
      ["history", "What was said in earlier conversations can be searched."],
    ]);
    expect(() => sessions.withContext("late")).toThrow("before its first session");
  });

  test("finds for each session a provider of its own when given a function", async () => {
    const notes = new Map([
      ["a", "notes of a"],
      ["b", "notes of b"],
    ]);
    const prompts = new Map<string, InMemoryDocument>();
    const sessions = SessionManager.create(new InMemorySessionStore())
      .withContext("notes", { provider: (id) => ({ get: () => notes.get(id) ?? null }) })
      .withCachedPrompt((id) => {
        const document = prompts.get(id) ?? new InMemoryDocument();
        prompts.set(id, document);
        return document;
      });
    for (const id of ["a", "b"]) await sessions.create(id, { id });
    expect(await sessions.getSession("a").freezeSystemPrompt()).toContain("notes of a");
    expect(await sessions.getSession("b").freezeSystemPrompt()).toContain("notes of b");
    expect(prompts.size).toBe(2);
  });

  test("refuses one prompt cache for all sessions", async () => {
    const shared = new InMemoryDocument();
    const open = () => SessionManager.create(new InMemorySessionStore());
    expect(() => open().withCachedPrompt(shared as never)).toThrow(InvalidArgumentError);
    const sessions = open().withCachedPrompt(() => shared);
    for (const id of ["a", "b"]) await sessions.create(id, { id });
    await sessions.getSession("a").freezeSystemPrompt();
    await expect(sessions.getSession("b").freezeSystemPrompt()).rejects.toThrow(
      'Session "b" needs a prompt cache of its own; this one belongs to "a".',
    );
  });

  test("appends, chains, upserts, reads, counts, clears and deletes messages", async () => {
    const { sessions } = await manager();
    await sessions.append("a", user("q1"));
    await sessions.appendAll("a", [assistant("a1"), user("q2"), assistant("a2")]);
    await sessions.appendAll("a", [assistant("b1"), user("b2")], "q1");
    expect(ids(await sessions.getHistory("a"))).toEqual(["q1", "b1", "b2"]);
    expect(ids(await sessions.getHistory("a", "a2"))).toEqual(["q1", "a1", "q2", "a2"]);
    expect(ids(await sessions.getBranches("a", "q1"))).toEqual(["a1", "b1"]);
    await sessions.upsert("a", user("b2", "edited"));
    await sessions.upsert("a", assistant("b3"));
    expect((await sessions.getHistory("a")).map(({ parts }) => parts[0]?.text)).toEqual([
      "q1",
      "b1",
      "edited",
      "b3",
    ]);
    expect(await sessions.getMessageCount("a")).toBe(7);
    expect((await sessions.deleteMessages("a", ["b1"])).messageIds).toEqual(["b1"]);
    await sessions.clearMessages("a");
    expect(await sessions.getMessageCount("a")).toBe(0);
  });

  test("every change of messages makes a session the newest", async () => {
    const { sessions } = await manager();
    await sessions.create("Other", { id: "b" });
    const newest = async () => (await sessions.list({ limit: 1 }))[0]?.id;
    for (const change of [
      () => sessions.appendAll("a", [user("q1"), assistant("a1")]),
      () => sessions.upsert("a", assistant("a1", "x")),
      () => sessions.deleteMessages("a", ["a1"]),
      () => sessions.clearMessages("a"),
    ]) {
      await sessions.append("b", user(crypto.randomUUID()));
      expect(await newest()).toBe("b");
      await change();
      expect(await newest()).toBe("a");
    }
  });

  test("throws for unknown sessions instead of doing nothing", async () => {
    const { sessions } = await manager();
    for (const attempt of [
      () => sessions.append("nowhere", user("q1")),
      () => sessions.appendAll("nowhere", [user("q1")]),
      () => sessions.upsert("nowhere", user("q1")),
      () => sessions.getHistory("nowhere"),
      () => sessions.getMessageCount("nowhere"),
      () => sessions.clearMessages("nowhere"),
      () => sessions.deleteMessages("nowhere", ["q1"]),
      () => sessions.getBranches("nowhere", "q1"),
      () => sessions.rename("nowhere", "x"),
      () => sessions.fork("nowhere", "q1", "x"),
      () => sessions.addUsage("nowhere", 1, 1),
      () => sessions.compactAndSplit("nowhere"),
    ]) {
      await expect(attempt()).rejects.toThrow(SessionNotFoundError);
    }
  });

  test("forks a session and records the message", async () => {
    const { sessions } = await manager();
    await sessions.appendAll("a", [user("q1"), assistant("a1"), user("q2")]);
    const fork = await sessions.fork("a", "a1", "Fork");
    expect(fork).toMatchObject({ parentSessionId: "a", forkedAtMessageId: "a1", model: "m" });
    expect(ids(await sessions.getHistory(fork.id))).toEqual(["q1", "a1"]);
    expect(ids(await sessions.forks("a"))).toEqual([fork.id]);
  });

  test("adds up usage", async () => {
    const { sessions } = await manager();
    await sessions.addUsage("a", 100, 20, 0.5);
    await sessions.addUsage("a", 1, 2);
    expect(await sessions.get("a")).toMatchObject({
      inputTokens: 101,
      outputTokens: 22,
      cost: 0.5,
    });
  });

  test("continues in a new session that starts with a summary of the old one", async () => {
    const { sessions } = await manager();
    await sessions.appendAll("a", [user("q1"), assistant("a1"), user("q2")]);
    await sessions.getSession("a").replaceContextBlock("todos", "write");
    const split = await sessions.compactAndSplit("a");
    expect(split).toMatchObject({
      name: "Chat (continued)",
      parentSessionId: "a",
      model: "m",
      tags: ["x"],
      messageCount: 1,
    });
    const [first] = await sessions.getHistory(split.id);
    expect(first).toMatchObject({ role: "user", parts: [{ type: "text", text: "summary of 2" }] });
    expect((await sessions.getSession(split.id).getContextBlock("todos"))?.content).toBe("write");
    expect(await sessions.getMessageCount("a")).toBe(3);
    const named = await sessions.compactAndSplit("a", {
      summary: "by hand",
      name: "Next",
      id: "next",
    });
    expect(named).toMatchObject({ id: "next", name: "Next" });
    expect((await sessions.getHistory("next"))[0]?.parts[0]?.text).toBe("by hand");
  });

  test("lists descendants in one statement for each session", async () => {
    const { store, sessions } = await manager();
    await sessions.create("Child", { id: "b", parentSessionId: "a" });
    await sessions.create("Grandchild", { id: "c", parentSessionId: "b" });
    const get = vi.spyOn(store.sessions, "get");
    const list = vi.spyOn(store.sessions, "list");
    expect(ids(await sessions.descendants("a"))).toEqual(["b", "c"]);
    expect([get.mock.calls.length, list.mock.calls.length]).toEqual([1, 3]);
    await expect(sessions.descendants("nowhere")).rejects.toThrow(SessionNotFoundError);
  });

  test("searches all sessions, also as tools for the model", async () => {
    const { sessions } = await manager();
    await sessions.create("Fruit", { id: "b" });
    await sessions.append("b", {
      ...user("q1", "I like apples"),
      createdAt: new Date("2026-02-03"),
    });
    expect(ids(await sessions.search("apple"))).toEqual(["q1"]);
    const found = "[Fruit, 2026-02-03, user]\nI like apples";
    expect(await sessions.tools().session_search?.execute?.({ query: "apples" }, call)).toBe(found);
    const { search_context } = await sessions.getSession("a").tools();
    expect(await search_context?.execute?.({ label: "history", query: "apples" }, call)).toBe(
      found,
    );
    expect(await search_context?.execute?.({ label: "history", query: "pears" }, call)).toBe(
      "No results found.",
    );
  });
});

test("expires sessions that are idle for long", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const sessions = SessionManager.create(new InMemorySessionStore()).expireAfter(60_000);
  for (const id of ["a", "b"]) await sessions.create(id, { id });
  vi.setSystemTime(Date.now() + 40_000);
  await sessions.append("b", user("q1", "apple"));
  vi.setSystemTime(Date.now() + 40_000);
  expect(await sessions.get("a")).toBeNull();
  expect(await sessions.search("apple")).toHaveLength(1);
  await sessions.restore("a");
  expect((await sessions.get("a"))?.id).toBe("a");
  vi.setSystemTime(Date.now() + 80_000);
  expect(await sessions.search("apple")).toEqual([]);
  expect(() => SessionManager.create(new InMemorySessionStore()).expireAfter(0)).toThrow(
    "positive",
  );
});
