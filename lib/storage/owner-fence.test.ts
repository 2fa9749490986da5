import { user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transaction } from "@/lib/postgres/connections/statement";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { chatSession } from "@/lib/postgres/schema";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { fencedTo } from "./owner-fence";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const refused = { name: "UnownedStatementError" };

describe("a fenced pool", () => {
  test("sends what carries its owner, in fragments, too", async () => {
    const sql = fencedTo(database.sql, "me");
    const mine = sql`owner_id = ${"me"}`;
    expect(await sql`select count(*)::integer as n from chat_session where ${mine}`).toEqual([
      { n: 0 },
    ]);
    await sql`insert into chat_owner (owner_id) values (${"me"})`;
    await sql.unsafe("select $1::text", ["me"]);
    const db = drizzleOn(sql);
    await expect(db.select().from(chatSession)).rejects.toMatchObject(refused);
  });

  test("refuses a statement of another owner, or of none, before it is sent", async () => {
    const sql = fencedTo(database.sql, "me");
    await expect(sql`select 1`).rejects.toMatchObject(refused);
    await expect(sql`delete from chat_session`).rejects.toMatchObject(refused);
    await expect(sql`select from chat_session where owner_id = ${"you"}`).rejects.toMatchObject(
      refused,
    );
    await expect(sql.unsafe("select $1::text", ["you"])).rejects.toMatchObject(refused);
    await expect(sql`select from chat_session where owner_id = ${"meagre"}`).rejects.toMatchObject(
      refused,
    );
    await expect(sql.stream(sql`select 1`, () => undefined)).rejects.toMatchObject(refused);
    await expect(transaction(sql, (own) => own`select 1`)).rejects.toMatchObject(refused);
  });

  test("keeps a store to its owner, and to the owner's namespaces", async () => {
    const own = new PostgresSessionStore(fencedTo(database.sql, "ann"), "ann");
    await own.sessions.create("Mine", { id: "s" });
    await own.messages("s").appendMessage(user("q", "Hello"));
    const namespace = own.namespace("temporary");
    await namespace.sessions.create("Shortly", { id: "t" });
    expect(await namespace.sessions.list()).toMatchObject({ sessions: [{ id: "t" }] });
    const foreign = new PostgresSessionStore(fencedTo(database.sql, "bob"), "ann");
    await expect(foreign.sessions.get("s")).rejects.toMatchObject(refused);
    await expect(foreign.messages("s").getHistory()).rejects.toMatchObject(refused);
    await expect(foreign.sessions.search("hello")).rejects.toMatchObject(refused);
  });
});
