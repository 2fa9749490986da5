import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Memory } from "./memory";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("an autosave costs at most three statements", async () => {
  const statements: string[] = [];
  const { sql } = database;
  const counting = new Proxy(sql, {
    apply: (target, self, args: Parameters<typeof sql>) => {
      const [text] = args as unknown as [unknown];
      if (Array.isArray(text) && "raw" in text) statements.push(text.join("?"));
      return Reflect.apply(target, self, args);
    },
    get: (target, name) => {
      if (name !== "unsafe") return Reflect.get(target, name, target);
      return (text: string, ...others: never[]) => {
        statements.push(text);
        return target.unsafe(text, ...others);
      };
    },
  });
  const owner = newOwner(counting);
  await owner.store.sessions.create("Tea", { id: "tea" });
  const memory = new Memory(owner, "tea");
  const first = await memory.write("memory", { content: "Likes tea" });
  statements.length = 0;
  const { id, version } = first;
  const saved = await memory.write(id, { content: "Likes green tea", expectedVersion: version });
  expect(saved).toMatchObject({ id: "memory", content: "Likes green tea", version: 2 });
  expect(statements.length).toBeLessThanOrEqual(3);
});
