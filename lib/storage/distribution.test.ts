import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { distribute, distributionStatements } from "./distribution";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function tableOf(statement: string): string {
  return /'(\w+)'/.exec(statement)?.[1] ?? "";
}

test("every table has one place, after those it refers to", async () => {
  const statements = await distributionStatements(database.sql, new Set());
  const tables = await database.sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const placed = statements.map(tableOf);
  expect(placed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  expect(placed.indexOf("chat_session")).toBeLessThan(placed.indexOf("chat_branch"));
  expect(statements).toContain("select create_reference_table('account_user')");
  expect(statements).toContain("select create_distributed_table('chat_search', 'owner_id')");
});

test("each unique index of a distributed table has the owner", async () => {
  const statements = await distributionStatements(database.sql, new Set());
  const distributed = statements.filter((each) => each.includes("owner_id")).map(tableOf);
  const without = await database.sql`
    select indexrelid::regclass::text as index from pg_index
    where indisunique and indrelid::regclass::text = any (${distributed}) and not exists (
      select from pg_attribute
      where attrelid = indrelid and attname = 'owner_id' and attnum = any (indkey::smallint[])
    )`;
  expect(without).toEqual([]);
});

test("a new table without an owner is refused by its name, and a distributed one left out", async () => {
  const { sql, drop } = await createTestDatabase();
  try {
    const all = await distributionStatements(sql, new Set());
    const rest = await distributionStatements(sql, new Set(["chat_word"]));
    expect(rest).toEqual(all.filter((each) => !each.includes("'chat_word'")));
    await sql`create table chat_unplaced (id text primary key)`;
    await expect(distributionStatements(sql, new Set())).rejects.toThrow(
      "The table chat_unplaced has no place",
    );
  } finally {
    await drop();
  }
});

test("a database without Citus is refused with a way out, and stays as it is", async () => {
  const lines: string[] = [];
  await expect(distribute(database.sql, (line) => lines.push(line))).rejects.toThrow(
    "This database has no Citus.",
  );
  expect(lines).toEqual([]);
});
