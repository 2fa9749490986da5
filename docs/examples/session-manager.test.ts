import { createCompactFunction, SessionManager, SessionNotFoundError } from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

const summarize = async () => "## Topic\nTea.";
const call = { toolCallId: "c", messages: [], context: {} };

onEveryStore((openStore) => {
  test("a manager", async () => {
    const store = openStore();
    const sessions = SessionManager.create(store)
      .withContext("soul", { provider: { get: () => "You are helpful." } })
      .withContext("memory", { description: "Learned facts", maxTokens: 1100, scope: "owner" })
      .withCachedPrompt()
      .onCompaction(createCompactFunction({ summarize }))
      .compactAfter(100_000)
      .withSearchableHistory("history");

    const info = await sessions.create("My chat", { model: "claude-sonnet-4-5", source: "web" });
    const session = sessions.getSession(info.id);
    await session.appendMessage(user("q1", "How long does tea steep?"));

    expect(sessions.getSession(info.id)).toBe(session);
    expect(info).toEqual({
      id: expect.any(String),
      name: "My chat",
      parentSessionId: null,
      parent_session_id: null,
      forkedAtMessageId: null,
      model: "claude-sonnet-4-5",
      source: "web",
      tags: [],
      metadata: {},
      messageCount: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      pinnedAt: null,
      archivedAt: null,
      expiresAfterMs: null,
      expiresAt: null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    const tools = await session.tools();
    expect(
      await tools.search_context?.execute?.({ label: "history", query: "steep" }, call),
    ).toMatch(/^\[My chat, .*, user\]\nHow long does tea steep\?$/);
  });

  test("the registry", async () => {
    const sessions = SessionManager.create(openStore());

    const { id } = await sessions.create("Tea", { id: "tea", tags: ["kitchen"] });
    await sessions.create("Coffee", { id: "coffee", parentSessionId: id });
    await sessions.rename(id, "Green tea");
    await sessions.update(id, { tags: ["kitchen", "green"], metadata: { color: "green" } });
    const all = await sessions.list();
    const tagged = await sessions.list({ tag: "green", limit: 10 });
    const { sessions: firstPage, nextCursor } = await sessions.listPage({ limit: 1 });
    await sessions.delete(id);
    const gone = await sessions.get(id);
    await sessions.restore(id);

    expect(ids(all).toSorted()).toEqual(["coffee", "tea"]);
    expect(ids(tagged)).toEqual(["tea"]);
    expect(firstPage).toHaveLength(1);
    expect(nextCursor).toEqual(expect.any(String));
    expect(gone).toBeNull();
    expect(await sessions.get(id)).toMatchObject({
      name: "Green tea",
      metadata: { color: "green" },
    });
    expect((await sessions.create("Another", { id })).name).toBe("Green tea");
  });

  test("newest activity first", async () => {
    const sessions = SessionManager.create(openStore());
    for (const id of ["one", "two", "three"]) await sessions.create(id, { id });
    await sessions.append("one", user("q1"));
    expect(ids(await sessions.list())).toEqual(["one", "three", "two"]);
    await sessions.update("two", { pinned: true });
    expect(ids(await sessions.list())).toEqual(["two", "one", "three"]);
    await sessions.update("one", { archived: true });
    expect(ids(await sessions.list())).toEqual(["two", "three"]);
    expect(ids(await sessions.list({ archived: true }))).toEqual(["one"]);
  });

  test("messages by session", async () => {
    const sessions = SessionManager.create(openStore());
    const { id } = await sessions.create("Tea");

    await sessions.append(id, user("q1"));
    await sessions.appendAll(id, [assistant("a1"), user("q2"), assistant("a2")]);
    await sessions.upsert(id, assistant("a2", "Two minutes."));
    const history = await sessions.getHistory(id);
    const count = await sessions.getMessageCount(id);
    await sessions.deleteMessages(id, ["a2"]);
    await sessions.clearMessages(id);

    expect(ids(history)).toEqual(["q1", "a1", "q2", "a2"]);
    expect(history[3]?.parts).toEqual([{ type: "text", text: "Two minutes." }]);
    expect(count).toBe(4);
    expect(await sessions.getMessageCount(id)).toBe(0);
    await expect(sessions.append("nowhere", user("q1"))).rejects.toThrow(SessionNotFoundError);
  });

  test("forking", async () => {
    const sessions = SessionManager.create(openStore()).withContext("todos");
    const { id } = await sessions.create("Tea", { model: "m" });
    await sessions.appendAll(id, [user("q1"), assistant("a1"), user("q2")]);
    await sessions.getSession(id).replaceContextBlock("todos", "Buy tea.");

    const forked = await sessions.fork(id, "a1", "Tea, differently");
    await sessions.append(forked.id, user("q2-other"));
    await sessions.deleteMessages(id, ["q1"]);
    const history = await sessions.getHistory(forked.id);
    const forks = await sessions.forks(id);

    expect(forked).toMatchObject({
      parentSessionId: id,
      parent_session_id: id,
      forkedAtMessageId: "a1",
      model: "m",
    });
    expect(ids(history)).toEqual(["q1", "a1", "q2-other"]);
    expect(ids(await sessions.getHistory(id))).toEqual(["a1", "q2"]);
    expect(ids(forks)).toEqual([forked.id]);
    expect((await sessions.getSession(forked.id).getContextBlock("todos"))?.content).toBe(
      "Buy tea.",
    );
    await expect(sessions.fork(id, "nowhere", "x")).rejects.toMatchObject({
      code: "message-not-found",
    });
  });

  test("splitting", async () => {
    const sessions = SessionManager.create(openStore()).onCompaction(
      createCompactFunction({ summarize }),
    );
    const { id } = await sessions.create("Tea");
    await sessions.appendAll(id, [user("q1"), assistant("a1")]);

    const next = await sessions.compactAndSplit(id, { name: "Tea, part two" });
    const start = await sessions.getHistory(next.id);

    expect(next).toMatchObject({ name: "Tea, part two", parentSessionId: id });
    expect(start.map(({ role, parts }) => [role, parts])).toEqual([
      ["user", [{ type: "text", text: "## Topic\nTea." }]],
    ]);
    expect(await sessions.getMessageCount(id)).toBe(2);
    expect((await sessions.compactAndSplit(id, { summary: "By hand." })).name).toBe(
      "Tea (continued)",
    );
  });

  test("usage", async () => {
    const sessions = SessionManager.create(openStore());
    const { id } = await sessions.create("Tea");

    await sessions.addUsage(id, 1_200, 300, 0.0081);
    await sessions.addUsage(id, 100, 50);
    const info = await sessions.get(id);

    expect(info).toMatchObject({ inputTokens: 1_300, outputTokens: 350, cost: 0.0081 });
  });

  test("searching every session", async () => {
    const sessions = SessionManager.create(openStore());
    const { id } = await sessions.create("Tea");
    await sessions.append(id, user("q1", "Deployment is on Friday"));

    const results = await sessions.search("deployment Friday", { limit: 20 });
    const tools = sessions.tools();

    expect(results).toMatchObject([{ id: "q1", sessionId: id, sessionTitle: "Tea" }]);
    expect(Object.keys(tools)).toEqual(["session_search"]);
  });
});
