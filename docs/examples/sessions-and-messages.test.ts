import type { UIMessage } from "ai";
import {
  InMemoryDocument,
  InMemorySessionProvider,
  InMemorySessionStore,
  MessageConflictError,
  MessageNotFoundError,
  Session,
} from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("a conversation", async () => {
    const store = openStore();
    const session = Session.create(store)
      .forSession("tea")
      .withContext("soul", { provider: { get: () => "You are a helpful assistant." } })
      .withContext("memory", { description: "Learned facts", maxTokens: 1100 })
      .withCachedPrompt();

    const { inserted, parentId } = await session.appendMessage({
      id: "q1",
      role: "user",
      parts: [{ type: "text", text: "How long does tea steep?" }],
    });
    await session.appendAnswer([{ role: "assistant", content: "Three minutes." }], { id: "a1" });

    const messages = await session.getHistory();
    const newest = await session.tree.getActiveLeaf();
    const count = await session.getPathLength();

    expect({ inserted, parentId, count }).toEqual({ inserted: true, parentId: null, count: 2 });
    expect(ids(messages)).toEqual(["q1", "a1"]);
    expect(newest?.id).toBe("a1");
    expect(newest?.createdAt).toBeInstanceOf(Date);
  });

  test("changing messages", async () => {
    const session = Session.create(openStore());
    for (const message of [user("q1"), assistant("a1"), user("q2"), assistant("a2")]) {
      await session.appendMessage(message);
    }

    await session.updateMessage(assistant("a2", "Two minutes, if it is green."));
    const deletion = await session.deleteMessages(["a1", "q2"]);
    const between = await session.getHistory();
    await session.restoreMessages(deletion.deletionId);

    expect(ids(between)).toEqual(["q1", "a2"]);
    expect(ids(await session.getHistory())).toEqual(["q1", "a1", "q2", "a2"]);
    await session.clearMessages();
    expect(await session.getHistory()).toEqual([]);
  });

  test("a repeated append", async () => {
    const session = Session.create(openStore());

    await session.appendMessage(user("q1", "Hello"));
    const again = await session.appendMessage(user("q1", "Hello"));
    const other = session.appendMessage(user("q1", "Goodbye"));

    expect(again.inserted).toBe(false);
    await expect(other).rejects.toThrow(MessageConflictError);
    for (const parent of ["nowhere", "q2"]) {
      await expect(session.appendMessage(user("q2"), parent)).rejects.toThrow(MessageNotFoundError);
    }
    expect(await session.getPathLength()).toBe(1);
    expect(await session.getMessage("nowhere")).toBeNull();
    expect(await session.getHistory("nowhere")).toEqual([]);
  });

  test("a chain", async () => {
    const session = Session.create(openStore());

    const turn = [user("q1"), assistant("a1"), user("q2")];
    const stored = await session.appendMessages(turn);
    const retried = await session.appendMessages([...turn, assistant("a2")]);

    expect(stored.map(({ parentId }) => parentId)).toEqual([null, "q1", "a1"]);
    expect(retried.map(({ inserted }) => inserted)).toEqual([false, false, false, true]);
    const refused = session.appendMessages([user("q3"), user("q1", "Other")]);
    await expect(refused).rejects.toThrow(MessageConflictError);
    expect(ids(await session.getHistory())).toEqual(["q1", "a1", "q2", "a2"]);
  });

  test("nothing is read or written before the first use", async () => {
    const store = openStore();
    const session = Session.create(store).forSession("later").withContext("memory");
    expect(await session.getHistory()).toEqual([]);
    expect(await store.sessions.get("later")).toBeNull();
    await session.appendMessage(user("q1"));
    expect((await store.sessions.get("later"))?.messageCount).toBe(1);
    expect(() => session.withContext("notes")).toThrow("before its first use");
  });

  test("what cannot be stored is refused", async () => {
    const session = Session.create(openStore());
    const refused = [
      user(" "),
      user("x".repeat(201)),
      user("compaction_1"),
      { ...user("q1"), role: "tool" as "user" },
    ];
    for (const message of refused) {
      await expect(session.appendMessage(message)).rejects.toMatchObject({
        code: "invalid-argument",
      });
    }
  });
});

test("the constructor", async () => {
  const session = new Session(new InMemorySessionProvider(), {
    sessionId: "tea",
    context: [
      { label: "memory", maxTokens: 500, provider: new InMemoryDocument("memory") },
      { label: "soul", provider: { get: async () => "You are helpful." } },
    ],
  });

  expect((await session.getContextBlocks()).map(({ label }) => label)).toEqual(["memory", "soul"]);
  expect(session.id).toBe("tea");
});

test("a message of the AI SDK", async () => {
  const session = Session.create(new InMemorySessionStore());
  const message: UIMessage = { id: "q1", role: "user", parts: [{ type: "text", text: "Hello" }] };

  await session.appendMessage(message);

  expect(await session.getHistory()).toMatchObject([message]);
});

test("an answer in the background", async () => {
  const session = Session.create(new InMemorySessionStore());
  for (const message of [user("q1"), assistant("a1"), user("q2")]) {
    await session.appendMessage(message);
  }

  await session.appendMessage(assistant("a1-again"), "q1", { activate: "follow" });
  await session.appendMessage(assistant("a2"), "q2", { activate: "follow" });

  expect((await session.getLatestLeaf())?.id).toBe("a2");
  expect(ids(await session.getBranches("q1"))).toEqual(["a1", "a1-again"]);
});

test("a message larger than a row may be", async () => {
  const session = Session.create(new InMemorySessionStore()).withRowSizeLimit(1_000_000);
  const output = "x".repeat(2_000_000);
  const call = {
    type: "tool-list",
    toolCallId: "c1",
    state: "output-available",
    input: {},
    output,
  };

  const { message } = await session.appendMessage(assistant("a1", "Done.", call));

  expect(JSON.stringify(message).length).toBeLessThan(1_000_000);
  expect(String(message.parts[1]?.output)).toContain("Run list again to see all of it.");
});
