import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageConflictError } from "../../session";
import { assistant, toolCall, user } from "../../session/testing";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function emptySession() {
  const store = new PostgresSessionStore(database.sql, crypto.randomUUID());
  const { id } = await store.sessions.create("Session");
  return { store, id, messages: store.messages(id) };
}

describe("appending from many sides at once", () => {
  test("keeps 64 messages in one line, none lost and none beside another", async () => {
    const { store, id, messages } = await emptySession();
    const sent = Array.from({ length: 64 }, (_, n) => `m${n}`);
    await Promise.all(sent.map((name) => messages.appendMessage(user(name))));
    const tree = await messages.getTree();
    expect(tree.map((node) => node.id).sort()).toEqual(sent.toSorted());
    expect(new Set(tree.map((node) => node.parentId)).size).toBe(64);
    expect(await messages.getPathLength()).toBe(64);
    expect((await store.sessions.get(id))?.messageCount).toBe(64);
  });

  test("tells each of many what it continues, and lets each be found", async () => {
    const { messages } = await emptySession();
    const sent = Array.from({ length: 20 }, (_, n) => `m${n}`);
    const results = await Promise.all(
      sent.map((name) => messages.appendMessage(user(name, `Word${name} and others`))),
    );
    const history = await messages.getHistory();
    expect(history).toEqual(results.map(({ message }) => message));
    expect(results.map(({ parentId }) => parentId)).toEqual([null, ...sent.slice(0, -1)]);
    for (const name of ["m1", "m7", "m19"]) {
      const hits = await messages.searchMessages(`word${name} `);
      expect(hits.map(({ id, place }) => [id, place])).toEqual([[name, "active"]]);
    }
  });

  test("keeps the skills that many load one after another", async () => {
    const { messages } = await emptySession();
    const skills = ["a", "b", "c"].map((key) => ({ label: "skills", key }));
    const calls = skills.map((skill) => toolCall("load_context", skill, "The document"));
    await Promise.all(calls.map((call, n) => messages.appendMessage(assistant(`a${n}`, "", call))));
    expect(await messages.getLoadedSkills()).toEqual(skills);
  });

  test("refuses in a fork the id its source has, and stores the others", async () => {
    const { store, id, messages } = await emptySession();
    await messages.appendMessage(user("q"));
    const fork = await store.sessions.fork(id, "q", "Fork");
    const forked = store.messages(fork.id);
    const results = await Promise.allSettled(
      ["m1", "m2", "q", "m3"].map((name) => forked.appendMessage(user(name, `Other ${name}`))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect((await forked.getHistory()).map((message) => message.id)).toEqual([
      "q",
      "m1",
      "m2",
      "m3",
    ]);
    expect((await store.sessions.get(fork.id))?.messageCount).toBe(4);
  });

  test("stores one message for ten writers of the same one", async () => {
    const { messages } = await emptySession();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => messages.appendMessage(user("m", "Same"))),
    );
    expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
    expect(new Set(results.map(({ message }) => JSON.stringify(message))).size).toBe(1);
    expect(await messages.getPathLength()).toBe(1);
  });

  test("stores one of ten different messages with the same id, and refuses the others", async () => {
    const { messages } = await emptySession();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => messages.appendMessage(user("m", `Text ${n}`))),
    );
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(9);
    for (const each of refused)
      expect(each).toMatchObject({ reason: expect.any(MessageConflictError) });
    expect(await messages.getPathLength()).toBe(1);
  });

  test("makes a sibling of each of 32 answers to one question", async () => {
    const { messages } = await emptySession();
    await messages.appendMessage(user("q"));
    await Promise.all(
      Array.from({ length: 32 }, (_, n) => messages.appendMessage(user(`a${n}`), "q")),
    );
    expect(await messages.getBranches("q")).toHaveLength(32);
    const { siblings } = (await messages.getWindow()).entries.at(-1) ?? {};
    expect(siblings?.count).toBe(32);
  });

  test("counts and stores nothing for a message that is refused", async () => {
    const { store, id, messages } = await emptySession();
    await messages.appendMessage(user("m"));
    await expect(messages.appendMessage(user("n"), "unknown")).rejects.toThrow();
    await expect(messages.appendMessage(user("m", "Other"))).rejects.toThrow();
    expect((await store.sessions.get(id))?.messageCount).toBe(1);
    expect(await messages.getTree()).toHaveLength(1);
  });
});
