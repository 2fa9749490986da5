import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect, Notifications, PostgresSessionStore, SessionFeed } from "@/lib/postgres";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { emittingStore, Session, type SessionEvent, SessionManager } from "@/lib/session";
import { assistant, user } from "@/lib/session/testing";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("hearing one session", async () => {
    const session = Session.create(openStore()).forSession("tea").withContext("memory");
    const heard: string[] = [];

    session.on("append", ({ messageId, role }) => void heard.push(`${role} said ${messageId}`));
    session.on("block-write", ({ label, action }) => void heard.push(`${label}: ${action}`));
    const stop = session.on("usage", ({ cost }) => void heard.push(`${cost} spent`));

    await session.appendMessage(user("q1"));
    await session.appendContextBlock("memory", "Drinks green tea");
    await session.addUsage({ inputTokens: 900, outputTokens: 100, cost: 0.02 });
    stop();
    await session.addUsage({ inputTokens: 900, outputTokens: 100, cost: 0.02 });

    expect(heard).toEqual(["user said q1", "memory: append", "0.02 spent"]);
  });

  test("hearing every session", async () => {
    const store = openStore();
    const manager = SessionManager.create(store);
    const heard: string[] = [];

    manager.on("delete", ({ sessionId, messageIds }) => {
      heard.push(`${messageIds.join(" ")} left ${sessionId}`);
    });

    for (const id of ["tea", "bread"]) {
      await store.sessions.create(id, { id });
      const session = manager.getSession(id);
      await session.appendMessage(user("q1"));
      await session.appendMessage(assistant("a1"));
      await session.deleteMessages(["a1"]);
    }

    expect(heard).toEqual(["a1 left tea", "a1 left bread"]);
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

/** What each process does once when it starts. */
async function startProcess(ownerId: string) {
  const sql = connect(database.url);
  onTestFinished(() => sql.end({ timeout: 1 }));

  const notifications = new Notifications(sql);
  const feed = new SessionFeed(notifications);
  const store = emittingStore(new PostgresSessionStore(sql, ownerId), feed.of(ownerId));
  await notifications.start();
  return store;
}

test("hearing other processes", async () => {
  const here = await startProcess("ada");
  const there = await startProcess("ada");
  const heard: SessionEvent[] = [];

  here.events.onEvery((event) => void heard.push(event));
  await Session.create(there).forSession("tea").appendMessage(user("q1"));

  await expect.poll(() => heard.map(({ type }) => type)).toEqual(["session", "append", "save"]);
});
