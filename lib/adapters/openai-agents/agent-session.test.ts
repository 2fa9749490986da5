import { type AgentInputItem, user } from "@openai/agents";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresSessionStore } from "../../postgres";
import { InMemorySessionStore, InvalidArgumentError, Session } from "../../session";
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

  test("returns items of every kind as they were added", { tags: "long" }, async () => {
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

  test("pops the newest items one by one, and brings each back", { tags: "long" }, async () => {
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

  describe("a message the app wrote", () => {
    const call = {
      type: "tool-find",
      toolCallId: "c1",
      state: "input-available",
      input: { city: "Rome" },
    };
    const answered = { ...call, state: "output-available", output: "sunny" };
    const thought = [
      { type: "step-start" },
      { type: "reasoning", text: "Hm." },
      { type: "data-note", data: { seen: true } },
      { type: "text", text: "Let me look." },
    ];
    const metadata = { model: "m1", note: "mine" };
    const result: AgentInputItem = {
      type: "function_call_result",
      callId: "c1",
      name: "find",
      status: "completed",
      output: { type: "text", text: "sunny" },
    };

    async function written(...parts: { type: string; text?: string }[]): Promise<AgentSession> {
      const session = open();
      const message = { id: "a1", role: "assistant", parts, metadata } as const;
      await session.session.appendMessage(message);
      return session;
    }

    async function shownLast({ session }: AgentSession) {
      const { parts, metadata: kept } = (await session.getHistory()).at(-1) ?? {};
      return { parts, metadata: kept };
    }

    test("keeps its other parts and its metadata when its call is answered", async () => {
      const session = await written(...thought, call);
      await session.addItems([result]);
      const expected = { parts: [...thought, answered], metadata };
      expect(await shownLast(session)).toMatchObject(expected);
      expect((await session.getItems()).at(-1)).toEqual(result);
    });

    test("keeps them when an agent also goes on, and when the answers are popped", async () => {
      const session = await written(...thought, call);
      const items = await session.getItems();
      await session.addItems([result, said("Sunny."), user("Thanks")]);
      expect(await session.getItems()).toEqual([...items, result, said("Sunny."), user("Thanks")]);
      for (const _ of [1, 2]) await session.popItem();
      expect(await shownLast(session)).toMatchObject({ parts: [...thought, answered], metadata });
      await session.popItem();
      expect(await session.getItems()).toEqual(items);
      expect(await shownLast(session)).toEqual({
        parts: [...thought, call],
        metadata: { ...metadata, agents: { firstId: "a1" } },
      });
    });

    test("keeps them when a transaction takes back the result of its call", async () => {
      const session = await written(...thought, answered, { type: "text", text: "Sunny." });
      const items = await session.getItems();
      await session.applyHistoryTransaction({
        operationId: "run:1",
        transaction: { type: "replace_suffix", expectedSuffix: items.slice(-1), replacement: [] },
      });
      expect(await session.getItems()).toEqual(items.slice(0, -1));
      const [message] = await session.session.getHistory();
      expect(message).toMatchObject({ parts: [...thought, call, { text: "Sunny." }], metadata });
    });
  });

  test("clears the items, and keeps the messages on another branch", async () => {
    const session = open();
    await session.addItems([user("1"), said("2")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([user("3")]);
    expect(await session.getItems()).toEqual([user("3")]);
    expect(await session.session.tree.getNodes()).toHaveLength(3);
  });

  test("refuses items that are not JSON, and adds none of a list with one", async () => {
    const session = open();
    const hidden = Object.defineProperty({}, "key", { value: 1, enumerable: false });
    for (const value of [new Date(), Symbol("secret"), hidden]) {
      const broken = { ...user("2"), providerData: { value } };
      const added = session.addItems([user("1"), broken]);
      await expect(added).rejects.toThrow(
        /^An item of the Agents SDK holds JSON and bytes, not (other objects|symbol)\.$/,
      );
    }
    expect(await session.getItems()).toEqual([]);
  });

  test("refuses items that are no objects, and a list that is none", async () => {
    const session = open();
    for (const odd of [[42], ["Hi"], [null], [user("1"), []], null, 42]) {
      const added = session.addItems(odd as unknown as AgentInputItem[]);
      await expect(added).rejects.toThrow(InvalidArgumentError);
    }
    expect(await session.getItems()).toEqual([]);
  });

  test("replaces calls of functions, and leaves later copies of them out", async () => {
    const session = open();
    const call = { type: "function_call", callId: "c1", name: "find", arguments: "{}" } as const;
    const items: AgentInputItem[] = [user("1"), call, said("2"), user("3"), call, said("4")];
    await session.addItems(items);
    const replacement = { ...call, arguments: '{"city":"Rome"}' };
    const mutation = { type: "replace_function_call", callId: call.callId, replacement } as const;
    await session.applyHistoryMutations({ mutations: [{ ...mutation, callId: "unknown" }] });
    expect(await session.getItems()).toEqual(items);
    await session.applyHistoryMutations({ mutations: [mutation] });
    await session.applyHistoryMutations({ mutations: [mutation] });
    expect(await session.getItems()).toEqual([
      ...[user("1"), replacement, said("2"), user("3"), said("4")],
    ]);
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

    test("is applied again once the items were cleared, and then once", async () => {
      const session = open();
      const transaction = append(user("1"), said("2"));
      const operation = { operationId: "run:1", transaction };
      for (const _ of [1, 2, 3]) {
        await session.applyHistoryTransaction(operation);
        await session.applyHistoryTransaction(operation);
        expect(await session.getItems()).toEqual(transaction.items);
        await session.clearSession();
        expect(await session.getItems()).toEqual([]);
      }
      await session.addItems([user("0")]);
      await Promise.all([1, 2].map(() => session.applyHistoryTransaction(operation)));
      expect(await session.getItems()).toEqual([user("0"), ...transaction.items]);
    });

    test("stays applied when the first items are replaced or shortened", async () => {
      const session = open();
      const first = { operationId: "run:1", transaction: append(said("1"), said("2")) };
      await session.applyHistoryTransaction(first);
      await session.popItem();
      await session.applyHistoryTransaction(first);
      expect(await session.getItems()).toEqual([said("1")]);
      const transaction = replace([said("1")], [user("3")]);
      await session.applyHistoryTransaction({ operationId: "run:2", transaction });
      for (const operation of [first, { operationId: "run:2", transaction }])
        await session.applyHistoryTransaction(operation);
      expect(await session.getItems()).toEqual([user("3")]);
    });

    test("is refused with a blank id, or when it is unknown or none", async () => {
      const session = open();
      const odd: unknown[] = [
        ...[null, {}, { operationId: "", transaction: append(user("1")) }],
        { operationId: " ", transaction: append(user("1")) },
        { operationId: "run:1", transaction: null },
        { operationId: "run:1", transaction: { type: "forget" } },
        { operationId: "run:1", transaction: { type: "append_items", items: [42] } },
        { operationId: "run:1", transaction: { type: "replace_suffix", replacement: [] } },
        { operationId: "run:1", transaction: { ...append(user("1")), metadata: {} } },
        Object.defineProperty({}, "operationId", {
          get: () => {
            throw new Error("secret");
          },
        }),
      ];
      for (const operation of odd) {
        const refused = session.applyHistoryTransaction(operation as never);
        await expect(refused).rejects.toThrow(InvalidArgumentError);
      }
      expect(await session.session.tree.getNodes()).toEqual([]);
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

    test("loses no item that others add at the same time", { tags: "long" }, async () => {
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
