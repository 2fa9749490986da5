import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { emittingStore, Session, type SessionEvent } from "../session";
import { assistant, user } from "../session/testing";
import { connect } from "./connect";
import type { Sql } from "./connections/sql";
import { Notifications } from "./notifications";
import { PostgresSessionStore } from "./postgres-session-store";
import { SessionFeed } from "./session-feed";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** One owner as a separate process sees it: with its own pool, feed and listeners. */
async function pool(ownerId: string) {
  const sql = connect(database.url, { max: 3, onnotice: () => undefined });
  const errors: unknown[] = [];
  const notifications = new Notifications(sql, { onError: (error) => errors.push(error) });
  const feed = new SessionFeed(notifications);
  const events = feed.of(ownerId);
  const received: SessionEvent[] = [];
  events.onEvery((event) => void received.push(event));
  await notifications.start();
  onTestFinished(() => sql.end({ timeout: 1 }));
  const store = emittingStore(new PostgresSessionStore(sql, ownerId), events);
  return { sql, store, events, notifications, received, errors };
}

const appended = (received: readonly SessionEvent[]) =>
  received.flatMap((event) => (event.type === "append" ? [event.messageId] : []));

const cut = (sql: Sql) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query ilike 'listen %'`;

describe("a session feed", () => {
  test("passes the events of two pools to each other, once and in order", async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    await one.store.sessions.create("A", { id: "a" });
    for (let n = 0; n < 50; n++) await one.store.messages("a").appendMessage(user(`m${n}`));
    await one.notifications.settled();
    await expect.poll(() => two.received.length).toBe(51);
    expect(two.received).toEqual(one.received);
    await two.store.messages("a").appendMessage(assistant("answer"));
    await expect.poll(() => appended(one.received).at(-1)).toBe("answer");
    expect(one.received).toEqual(two.received);
    expect(one.received.at(-1)).toEqual({
      type: "append",
      ownerId: owner,
      sessionId: "a",
      messageId: "answer",
      parentId: "m49",
      role: "assistant",
    });
  });

  test("passes on block writes, loads, saves and usage too, and keeps owners apart", async () => {
    const owner = crypto.randomUUID();
    const [one, two, stranger] = [
      await pool(owner),
      await pool(owner),
      await pool(crypto.randomUUID()),
    ];
    const session = Session.create(one.store).forSession("a").withContext("memory");
    await session.appendMessage(user("q1"));
    await session.replaceContextBlock("memory", "x");
    await session.addUsage({ inputTokens: 1, outputTokens: 2, cost: 0.25 });
    await session.getHistory();
    await expect.poll(() => two.received).toEqual(one.received);
    expect(two.received.map(({ type }) => type)).toEqual([
      "session",
      "append",
      "save",
      "block-write",
      "save",
      "usage",
      "save",
      "load",
    ]);
    expect(stranger.received).toEqual([]);
  });

  test("splits the deletion of many messages into parts that fit a notification", async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    await one.store.sessions.create("A", { id: "a" });
    const many = Array.from({ length: 120 }, (_, n) => `${"ü".repeat(150)}${n}`);
    const session = Session.create(one.store).forSession("a");
    await session.appendMessages(many.map((id) => user(id)));
    await session.deleteMessages(many);
    const deleted = () => two.received.flatMap((event) => (event.type === "delete" ? [event] : []));
    await expect.poll(() => deleted().flatMap(({ messageIds }) => messageIds).length).toBe(120);
    expect(new Set(deleted().map(({ deletionId }) => deletionId)).size).toBe(1);
    expect(one.errors).toEqual([]);
  });

  test("needs few statements for many writers", { tags: "long" }, async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    let statements = 0;
    const counting = new Proxy(one.sql, {
      apply(target, self, args: [TemplateStringsArray]) {
        if (args[0].join("").includes("pg_notify")) statements++;
        return Reflect.apply(target, self, args);
      },
    });
    const notifications = new Notifications(counting);
    const events = new SessionFeed(notifications).of(owner);
    const store = emittingStore(new PostgresSessionStore(one.sql, owner), events);
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        await store.sessions.create("A", { id: `s${n}` });
        for (let m = 0; m < 10; m++) await store.messages(`s${n}`).appendMessage(user(`m${m}`));
      }),
    );
    await notifications.settled();
    await expect.poll(() => appended(two.received).length).toBe(160);
    expect(statements).toBeLessThan(160);
  });

  test("says that something may have been missed when its connection was lost, and goes on", async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    const missed: unknown[] = [];
    two.events.on("missed", (event) => void missed.push(event), { sessionId: "a" });
    await one.store.sessions.create("A", { id: "a" });
    await cut(database.sql);
    await expect.poll(() => missed).toEqual([{ type: "missed", ownerId: owner, sessionId: null }]);
    await one.store.messages("a").appendMessage(user("after"));
    await expect.poll(() => appended(two.received)).toEqual(["after"]);
  });

  test("a listener that throws keeps neither the write nor the other listeners from going on", async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    const errors: unknown[] = [];
    const listen = (events: typeof one.events) =>
      events.on(
        "append",
        () => {
          throw new Error("no");
        },
        { onError: (error) => errors.push(error) },
      );
    listen(one.events);
    listen(two.events);
    await one.store.sessions.create("A", { id: "a" });
    await one.store.messages("a").appendMessage(user("q1"));
    two.events.on("update", ({ messageId }) => void errors.push(messageId));
    await one.store.messages("a").updateMessage(user("q1", "x"));
    await expect.poll(() => errors).toMatchObject([{ message: "no" }, { message: "no" }, "q1"]);
  });

  test("sends to another process and receives from it", { tags: "long" }, async () => {
    const owner = crypto.randomUUID();
    const here = await pool(owner);
    await here.store.sessions.create("A", { id: "a" });
    const script = fileURLToPath(new URL("testing/feed-process.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script, database.url, owner, "a"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    await expect.poll(() => lines).toEqual(["listening"]);
    await here.store.messages("a").appendMessage(user("from-here"));
    await expect.poll(() => lines).toEqual(["listening", "from-here"]);
    child.stdin.end("from-there\n");
    await expect.poll(() => appended(here.received)).toEqual(["from-here", "from-there"]);
    await ended;
    expect(lines).toEqual(["listening", "from-here", "from-there"]);
  });
});

describe("notifications", () => {
  test("too long a message is reported, and listeners learn that something is missing", async () => {
    const owner = crypto.randomUUID();
    const [one, two] = [await pool(owner), await pool(owner)];
    const bodies: unknown[] = [];
    let missed = 0;
    two.notifications.on("test", (body) => void bodies.push(body));
    two.notifications.onMissed(() => missed++);
    one.notifications.send("test", "first");
    await one.notifications.settled();
    one.notifications.send("test", "x".repeat(8_000));
    one.notifications.send("test", { n: 2 });
    await expect.poll(() => bodies).toEqual(["first", { n: 2 }]);
    expect(missed).toBe(1);
    expect(one.errors).toMatchObject([{ message: expect.stringContaining("too long") }]);
  });

  test("a notification that cannot be read is reported and ignored", async () => {
    const { sql, errors } = await pool(crypto.randomUUID());
    await sql`select pg_notify('grove', ${'{"ownerId":"x"}'})`;
    await expect
      .poll(() => errors)
      .toMatchObject([{ message: expect.stringContaining("could not be read") }]);
  });

  test("a database that is away delays events and loses none", { tags: "long" }, async () => {
    const owner = crypto.randomUUID();
    const two = await pool(owner);
    const bodies: unknown[] = [];
    two.notifications.on("test", (body) => void bodies.push(body));
    const real = connect(database.url, { max: 1, onnotice: () => undefined });
    onTestFinished(() => real.end({ timeout: 1 }));
    let refusals = 1;
    const errors: unknown[] = [];
    const failing = new Proxy(real, {
      apply(target, self, args) {
        if (refusals-- > 0) return Promise.reject(new Error("away"));
        return Reflect.apply(target, self, args);
      },
    });
    const notifications = new Notifications(failing, { onError: (error) => errors.push(error) });
    notifications.send("test", 1);
    notifications.send("test", 2);
    await expect.poll(() => bodies).toEqual([1, 2]);
    expect(errors).toMatchObject([{ message: "away" }]);
  });
});
