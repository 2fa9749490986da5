import { emittingStore, Session, type SessionEvent, SessionManager } from "grove-session";
import { connect, Notifications, PostgresSessionStore, SessionFeed } from "grove-session/postgres";
import { assistant, user } from "grove-session/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("the events of one session", async () => {
    const session = Session.create(openStore()).forSession("tea").withContext("memory");
    const received: string[] = [];

    session.on("append", ({ messageId, role }) => void received.push(`${role} said ${messageId}`));
    session.on("block-write", ({ label, action }) => void received.push(`${label}: ${action}`));
    const stop = session.on("usage", ({ cost }) => void received.push(`${cost} spent`));

    await session.appendMessage(user("q1"));
    await session.appendContextBlock("memory", "Drinks green tea");
    await session.addUsage({ inputTokens: 900, outputTokens: 100, cost: 0.02 });
    stop();
    await session.addUsage({ inputTokens: 900, outputTokens: 100, cost: 0.02 });

    expect(received).toEqual(["user said q1", "memory: append", "0.02 spent"]);
  });

  test("the events of every session", async () => {
    const store = openStore();
    const manager = SessionManager.create(store);
    const received: string[] = [];

    manager.on("delete", ({ sessionId, messageIds }) => {
      received.push(`${messageIds.join(" ")} left ${sessionId}`);
    });

    for (const id of ["tea", "bread"]) {
      await store.sessions.create(id, { id });
      const session = manager.getSession(id);
      await session.appendMessage(user("q1"));
      await session.appendMessage(assistant("a1"));
      await session.deleteMessages(["a1"]);
    }

    expect(received).toEqual(["a1 left tea", "a1 left bread"]);
  });

  test("the events of a store", async () => {
    const received: string[] = [];

    const store = emittingStore(openStore());
    store.events.onEvery(({ type, sessionId }) => void received.push(`${type} in ${sessionId}`));
    await store.sessions.create("Tea", { id: "tea" });
    await store.messages("tea").appendMessage(user("q1"));

    expect(received).toEqual(["session in tea", "append in tea"]);
  });

  test("a listener that fails", async () => {
    const problems: unknown[] = [];
    const session = Session.create(openStore()).onListenerError((error) => {
      problems.push(error);
    });
    session.on("append", () => {
      throw new Error("The lamp is broken.");
    });

    const { inserted } = await session.appendMessage(user("q1"));

    expect(inserted).toBe(true);
    expect(problems).toEqual([new Error("The lamp is broken.")]);
  });
});

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Each process does this once at its start. */
async function startProcess(ownerId: string) {
  const sql = connect(database.url);
  onTestFinished(() => sql.end({ timeout: 1 }));

  const notifications = new Notifications(sql);
  const feed = new SessionFeed(notifications);
  const store = emittingStore(new PostgresSessionStore(sql, ownerId), feed.of(ownerId));
  await notifications.start();
  return store;
}

test("the events of other processes", async () => {
  const here = await startProcess("ada");
  const there = await startProcess("ada");
  const received: SessionEvent[] = [];

  here.events.onEvery((event) => void received.push(event));
  await Session.create(there).forSession("tea").appendMessage(user("q1"));

  await expect.poll(() => received.map(({ type }) => type)).toEqual(["session", "append", "save"]);
});
