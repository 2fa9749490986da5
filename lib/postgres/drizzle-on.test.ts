import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transaction } from "./connections/statement";
import { postgresFailure } from "./database-error";
import { drizzleOn, preparedOnce } from "./drizzle-on";
import { chatSession, chatUsage } from "./schema";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date("2026-01-02T03:04:05.678Z");
const usage = {
  ownerId: "ada",
  usageId: "u",
  kind: "answer" as const,
  sessionId: "s",
  model: "test/model",
  inputTokens: 9_007_199_254_740_991,
  cachedTokens: 0,
  outputTokens: 2,
  cost: null,
  charge: null,
  reported: true,
  keyId: null,
  personId: null,
  spaceId: null,
  reservedUntil: null,
  createdAt: at,
};

describe("drizzleOn", () => {
  test("writes and reads dates, large numbers, booleans, lists and null as the columns say", async () => {
    const db = drizzleOn(database.sql);
    await db.insert(chatUsage).values(usage);
    const mine = eq(chatUsage.ownerId, usage.ownerId);
    expect(await db.select().from(chatUsage).where(mine)).toEqual([usage]);
    const session = { ownerId: "ada", sessionId: "s", tags: ["a,b", '"', "null"], pinnedAt: at };
    const [stored] = await db.insert(chatSession).values(session).returning();
    expect(stored).toMatchObject(session);
  });

  test("leaves the types of raw queries on the same pool alone", async () => {
    const { sql } = database;
    await drizzleOn(sql).select().from(chatUsage);
    const rows =
      await sql`select ${at}::timestamptz as at, '2026-01-02T03:04:05.678Z'::timestamptz as same`;
    expect([...rows]).toEqual([{ at, same: at }]);
  });

  test("takes part in the transaction it is given", async () => {
    const { sql } = database;
    const undone = transaction(sql, async (own) => {
      await drizzleOn(own)
        .insert(chatUsage)
        .values({ ...usage, usageId: "undone" });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    const kept = await drizzleOn(sql)
      .select({ id: chatUsage.usageId })
      .from(chatUsage)
      .where(inArray(chatUsage.usageId, ["undone"]));
    expect(kept).toEqual([]);
  });

  test("reads columns of the selected table in a subquery that names the table itself", async () => {
    const db = drizzleOn(database.sql);
    const owner = "counted";
    const calls = sql<number>`(
      select count(*)::integer from ${chatUsage} usage
      where usage.owner_id = ${chatSession}.owner_id and usage.session_id = ${chatSession}.session_id
    )`;
    for (const ownerId of [owner, "another"])
      await db.insert(chatUsage).values({ ...usage, ownerId, sessionId: "counted" });

    const row = { ownerId: owner, sessionId: "counted" };
    const mine = eq(chatSession.ownerId, owner);
    const counted = [
      await db.insert(chatSession).values(row).returning({ calls }),
      await db.select({ calls }).from(chatSession).where(mine),
      await db.update(chatSession).set({ model: "m" }).where(mine).returning({ calls }),
      await db.delete(chatSession).where(mine).returning({ calls }),
    ];

    expect(counted).toEqual(Array(4).fill([{ calls: 1 }]));
  });

  test("throws what Postgres reported, without the parameters", async () => {
    const failed = drizzleOn(database.sql)
      .insert(chatUsage)
      .values({ ...usage, usageId: "refused", kind: "private words" as "answer" });
    const error: unknown = await failed.then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(postgresFailure(error)?.code).toBe("23514");
    expect(String(error)).not.toContain("private words");
  });

  test("builds a prepared statement once per pool and fills its values at each call", async () => {
    let built = 0;
    const usageOf = preparedOnce((db) => {
      built++;
      return db
        .select({ id: chatUsage.usageId })
        .from(chatUsage)
        .where(eq(chatUsage.ownerId, sql.placeholder("owner")))
        .prepare("usage_of");
    });
    const db = drizzleOn(database.sql);
    await db.insert(chatUsage).values({ ...usage, ownerId: "prepared", usageId: "prepared" });
    expect(await usageOf(db, { owner: "prepared" })).toEqual([{ id: "prepared" }]);
    expect(await usageOf(db, { owner: "nobody" })).toEqual([]);
    expect(built).toBe(1);
  });
});
