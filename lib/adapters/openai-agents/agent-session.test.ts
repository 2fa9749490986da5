import { type AgentInputItem, user } from "@openai/agents";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresSessionStore } from "@/lib/postgres";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { InMemorySessionStore, InvalidArgumentError, Session } from "@/lib/session";
import { AgentSession } from "./agent-session";
import { anyItems } from "./testing/any-item";
import { called, said } from "./testing/scripted-model";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const stores = {
  "in memory": () => new InMemorySessionStore(),
  "in Postgres": () => new PostgresSessionStore(database.sql, crypto.randomUUID()),
};

describe.each(Object.entries(stores))("a session of the Agents SDK %s", (_, openStore) => {
  function open(): AgentSession {
    return new AgentSession(Session.create(openStore()).forSession("trip"));
  }

  test("has the id of the session", async () => {
    expect(await open().getSessionId()).toBe("trip");
  });

  test("returns items of every kind as they were added", async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, anyItems, async (first, second) => {
        const session = open();
        await session.addItems(first);
        await session.addItems(second);
        const all = [...first, ...second];
        expect(await session.getItems()).toEqual(all);
        expect(await session.getItems(3)).toEqual(all.slice(-3));
      }),
      { numRuns: 60 },
    );
  });

  test("pops the newest items one by one, and brings each back", async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, async (items) => {
        const session = open();
        await session.addItems(items);
        const popped: unknown[] = [];
        for (let item = await session.popItem(); item; item = await session.popItem()) {
          popped.unshift(item);
          expect(await session.getItems()).toEqual(items.slice(0, -popped.length));
        }
        expect(popped).toEqual(items);
        for (const [at] of items.entries()) {
          expect(await session.restoreItem()).toBe(true);
          expect(await session.getItems()).toEqual(items.slice(0, at + 1));
        }
        expect(await session.restoreItem()).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  test("returns no items for a limit of 0", async () => {
    const session = open();
    await session.addItems([user("Hi")]);
    expect(await session.getItems(0)).toEqual([]);
  });

  test("gives concurrent pops different items", async () => {
    const session = open();
    await session.addItems([user("1"), said("2"), said("3"), user("4")]);
    const popped = await Promise.all([session.popItem(), session.popItem(), session.popItem()]);
    const remaining = await session.getItems();
    expect(new Set(popped.map((item) => JSON.stringify(item))).size).toBe(3);
    expect(remaining).toEqual([user("1")]);
  });

  test("does not bring an item back over one that was added since", async () => {
    const session = open();
    await session.addItems([user("1"), said("2")]);
    await session.popItem();
    await session.addItems([user("3")]);
    expect(await session.restoreItem()).toBe(false);
    expect(await session.getItems()).toEqual([user("1"), user("3")]);
  });

  test("clears the items, and keeps the messages on another branch", async () => {
    const session = open();
    await session.addItems([user("1"), said("2")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([user("3")]);
    expect(await session.getItems()).toEqual([user("3")]);
    expect(await session.session.getTree()).toHaveLength(3);
  });

  test("refuses items that are not JSON, and adds none of a list with one", async () => {
    const session = open();
    const broken = { ...user("2"), providerData: { at: new Date() } };
    await expect(session.addItems([user("1"), broken])).rejects.toThrow(InvalidArgumentError);
    expect(await session.getItems()).toEqual([]);
  });

  describe("a transaction", () => {
    const append = (...items: AgentInputItem[]) => ({ type: "append_items", items }) as const;
    const replace = (expectedSuffix: AgentInputItem[], replacement: AgentInputItem[]) =>
      ({ type: "replace_suffix", expectedSuffix, replacement }) as const;

    test("is applied once, however often it is repeated", async () => {
      const session = open();
      const transaction = append(user("1"), said("2"));
      const operation = { operationId: "run:1", transaction };
      await Promise.all([1, 2, 3].map(() => session.applyHistoryTransaction(operation)));
      await session.applyHistoryTransaction(operation);
      expect(await session.getItems()).toEqual(transaction.items);
    });

    test("replaces the newest items, also a part of what an agent did at once", async () => {
      const session = open();
      const call = called("find", {});
      await session.addItems([user("1"), call, said("wrong")]);
      const transaction = replace([said("wrong")], [said("right"), user("2")]);
      await session.applyHistoryTransaction({ operationId: "run:1", transaction });
      await session.applyHistoryTransaction({ operationId: "run:1", transaction });
      expect(await session.getItems()).toEqual([user("1"), call, said("right"), user("2")]);
    });

    test("is recorded when it leaves nothing", async () => {
      const session = open();
      await session.addItems([user("1"), user("1")]);
      const operation = { operationId: "run:1", transaction: replace([user("1")], []) };
      await session.applyHistoryTransaction(operation);
      await session.applyHistoryTransaction(operation);
      expect(await session.getItems()).toEqual([user("1")]);
    });

    test("is refused for items other than the newest, and changes nothing", async () => {
      const session = open();
      await session.addItems([user("1"), said("2")]);
      for (const expected of [[user("1")], [user("0"), user("1"), said("2")]]) {
        const transaction = replace(expected, [user("3")]);
        const refused = session.applyHistoryTransaction({ operationId: "run:1", transaction });
        await expect(refused).rejects.toThrow(InvalidArgumentError);
      }
      expect(await session.getItems()).toEqual([user("1"), said("2")]);
    });

    test("is refused under the id of another one, and changes nothing", async () => {
      const session = open();
      await session.applyHistoryTransaction({
        operationId: "run:1",
        transaction: append(user("1")),
      });
      for (const items of [[user("1"), said("2")], [user("2")], []]) {
        const transaction = append(...items);
        const refused = session.applyHistoryTransaction({ operationId: "run:1", transaction });
        await expect(refused).rejects.toThrow(InvalidArgumentError);
      }
      expect(await session.getItems()).toEqual([user("1")]);
    });

    test("loses no item that others add at the same time", async () => {
      const session = open();
      const numbers = [1, 2, 3, 4, 5, 6];
      await Promise.all([
        ...numbers.map((n) => session.addItems([user(`added ${n}`)])),
        ...numbers.map((n) =>
          session.applyHistoryTransaction({
            operationId: `run:${n}`,
            transaction: append(user(`applied ${n}`)),
          }),
        ),
      ]);
      const items = await session.getItems();
      expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(12);
    });
  });

  describe("a compaction", () => {
    const compaction: AgentInputItem = { type: "compaction", encrypted_content: "secret" };

    test("becomes the first item, and the earlier messages stay readable before it", async () => {
      const session = open();
      await session.addItems([user("1"), said("2"), user("3"), said("4")]);
      await session.replaceHistoryWithCompaction([compaction, user("3"), said("4")]);
      expect(await session.getItems()).toEqual([compaction, user("3"), said("4")]);
      const messages = await session.session.getHistory();
      const shown = messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "text" ? part.text : [])),
      );
      expect(shown).toEqual(["1", "2", "3", "4"]);
    });

    test("stays the first item while items are popped and added", async () => {
      const session = open();
      await session.addItems([user("1"), said("2")]);
      await session.replaceHistoryWithCompaction([compaction, said("2")]);
      await session.popItem();
      expect(await session.getItems()).toEqual([compaction]);
      await session.addItems([said("3")]);
      expect(await session.getItems(9)).toEqual([compaction, said("3")]);
      await session.popItem();
      await session.popItem();
      expect(await session.getItems()).toEqual([]);
    });
  });
});
