import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "@/lib/postgres/start";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresTurns } from "./turns";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function turnsOf(ownerId: string): PostgresTurns {
  const sql = connect(database.url, { max: 2 });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return new PostgresTurns(sql, ownerId);
}

test("runs the tasks of one name one after another on two pools, also after one that fails", {
  tags: "long",
}, async () => {
  const pools = [turnsOf("ada"), turnsOf("ada")];
  let running = 0;
  const task = async (number: number) => {
    expect(running).toBe(0);
    running++;
    await database.sql`select`;
    running--;
    if (number % 5 === 0) throw new Error("This one fails.");
    return number;
  };
  const taken = Array.from({ length: 20 }, (_, n) => pools[n % 2]?.take("one", () => task(n)));
  const ends = await Promise.allSettled(taken);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
  expect(ends[5]).toMatchObject({ reason: { message: "This one fails." } });
});

test("lets tasks of other names and owners run meanwhile", async () => {
  const ada = turnsOf("ada");
  const held = Promise.withResolvers<void>();
  const first = ada.take("one", () => held.promise);
  expect(await ada.take("two", async () => "other name")).toBe("other name");
  expect(await turnsOf("bob").take("one", async () => "other owner")).toBe("other owner");
  held.resolve();
  await first;
});
