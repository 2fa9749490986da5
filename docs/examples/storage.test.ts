import {
  InMemorySessionStore,
  NotSupportedError,
  Session,
  SessionManager,
  type SessionMessage,
  type SessionProvider,
  type SessionStore,
} from "grove-session";
import type { BlockRef } from "grove-session/ports";
import { connect, migrate, PostgresSessionStore } from "grove-session/postgres";
import {
  assistant,
  describeSessionStore,
  describeTreePrograms,
  ids,
  user,
} from "grove-session/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unixSocket } from "@/lib/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

test("Postgres", { tags: "long" }, async () => {
  const url = database.url;

  const sql = connect(url);
  await migrate(sql);
  const sessions = SessionManager.create(new PostgresSessionStore(sql, "ada"));
  const { id } = await sessions.create("Tea");
  await sessions.append(id, user("q1", "How long does tea steep?"));

  const again = SessionManager.create(new PostgresSessionStore(sql, "ada"));
  const stranger = SessionManager.create(new PostgresSessionStore(sql, "bob"));
  expect(ids(await again.getHistory(id))).toEqual(["q1"]);
  expect(await stranger.get(id)).toBeNull();
  expect(await stranger.list()).toEqual([]);
  await migrate(sql);
  await sql.end();
});

test("a pool of your own", { tags: "long" }, async () => {
  const socket = unixSocket(database.url);
  const url = socket?.url ?? database.url;
  const options = socket ? { path: socket.path } : {};

  const bigint = { to: 20, from: [20], serialize: String, parse: Number };
  const sql = postgres(url, { ...options, types: { bigint } });
  const store = new PostgresSessionStore(sql, "ada");

  await migrate(sql);
  await store.sessions.create("Tea", { id: "pool" });
  await store.messages("pool").appendMessage(user("q1", "How long does tea steep?"));
  const [hit] = await store.sessions.search("steeps");
  expect(hit?.content).toBe("How long does tea steep?");
  const other = new PostgresSessionStore(sql, "cleo");
  await other.sessions.import(await store.sessions.export("pool"));
  expect(ids(await other.messages("pool").getHistory())).toEqual(["q1"]);
  await sql.end();
});

test("memory", async () => {
  const session = Session.create(new InMemorySessionStore());
  await session.appendMessage(user("q1"));
  expect(ids(await session.getHistory())).toEqual(["q1"]);
});

/** Keeps one conversation without branches in a list. */
function listProvider(messages: SessionMessage[] = []): SessionProvider {
  const pathTo = (leafId = messages.at(-1)?.id) => {
    return messages.slice(0, messages.findIndex(({ id }) => id === leafId) + 1);
  };
  return {
    getMessage: (id) => messages.find((message) => message.id === id) ?? null,
    getHistory: (leafId) => pathTo(leafId),
    getLatestLeaf: () => messages.at(-1) ?? null,
    getBranches: (id) => messages.slice(pathTo(id).length, pathTo(id).length + 1),
    getPathLength: (leafId) => pathTo(leafId).length,
    appendMessage: (message) => void messages.push(message),
    updateMessage: (message) => {
      messages.splice(pathTo(message.id).length - 1, 1, message);
    },
    deleteMessages: (gone) => {
      messages.splice(0, Infinity, ...messages.filter(({ id }) => !gone.includes(id)));
    },
    clearMessages: () => void messages.splice(0),
    addCompaction: () => {
      throw new NotSupportedError("summaries");
    },
    getCompactions: () => [],
    searchMessages: () => [],
  };
}

test("messages of your own", async () => {
  const session = Session.create(listProvider());
  await session.appendMessage(user("q1"));
  await session.appendMessage(assistant("a1"));

  const history = await session.getHistory();
  const tree = session.tree.getNodes();

  expect(ids(history)).toEqual(["q1", "a1"]);
  await expect(tree).rejects.toThrow("This storage does not support the tree.");
  expect(ids(await session.getBranches("q1"))).toEqual(["a1"]);
  await session.updateMessage(user("q1", "edited"));
  expect((await session.getMessage("q1"))?.parts).toEqual([{ type: "text", text: "edited" }]);
  expect(await session.deleteMessages(["q1"])).toEqual({ deletionId: "", messageIds: ["q1"] });
  expect(await session.getPathLength()).toBe(1);
  await expect(session.addCompaction("S", "a1", "a1")).rejects.toThrow(NotSupportedError);
});

/** Another store that also records which sessions are opened. */
class WatchedStore implements SessionStore {
  readonly opened: string[] = [];
  readonly #store = new InMemorySessionStore();
  readonly sessions = this.#store.sessions;
  readonly proposals = this.#store.proposals;

  messages(...[sessionId, options]: Parameters<SessionStore["messages"]>) {
    this.opened.push(sessionId);
    return this.#store.messages(sessionId, options);
  }

  block(ref: BlockRef) {
    return this.#store.block(ref);
  }

  writeBlocks(writes: Parameters<SessionStore["writeBlocks"]>[0]) {
    return this.#store.writeBlocks(writes);
  }

  promptCache(sessionId: string) {
    return this.#store.promptCache(sessionId);
  }
}

test("a store of your own", async () => {
  const store = new WatchedStore();
  await Session.create(store).forSession("tea").appendMessage(user("q1"));
  expect(store.opened).toEqual(["tea"]);
});

describeSessionStore("WatchedStore", () => new WatchedStore(), { longPath: 50 });
describeTreePrograms("WatchedStore", () => new WatchedStore(), { runs: 20 });
