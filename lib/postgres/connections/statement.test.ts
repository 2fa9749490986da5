import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "../index";
import { createTestDatabase } from "../testing/test-database";
import { ownConnection } from "./own-connection";

test("a statement after one that failed amid its rows has its own rows alone", async () => {
  const database = await createTestDatabase();
  const pool = connect(database.url, { max: 1 });
  onTestFinished(async () => {
    await pool.end({ timeout: 1 });
    await database.drop();
  });
  const single = ownConnection(pool);
  for (const sql of [pool, single])
    for (const failing of [
      () => sql`select 1 / (900 - n) as n from generate_series(1, 1000) n`,
      () => sql.unsafe("select 1 / (900 - n) as n from generate_series(1, 1000) n"),
    ]) {
      await expect(failing()).rejects.toMatchObject({ code: "22012" });
      const rows = await sql<{ n: number }[]>`select n from generate_series(1, 2) n`;
      expect([rows.length, rows[0]?.n, rows[1]?.n, rows.count]).toEqual([2, 1, 2, 2]);
      await expect(failing()).rejects.toMatchObject({ code: "22012" });
      expect(await sql`select from generate_series(1, 2) n where n > 2`).toHaveLength(0);
      await expect(failing()).rejects.toMatchObject({ code: "22012" });
      expect(await sql.unsafe("select 7 as n", [], { rows: "arrays" })).toEqual([[7]]);
      const [, both] = await Promise.allSettled([failing(), sql`select 8 as n`]);
      expect(both).toMatchObject({ value: [{ n: 8 }] });
    }
  await single.end({ timeout: 1 });
});

test("another copy of this module intercepts statements, and opens connections beside them", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  vi.resetModules();
  const copy = await import("./statement");
  const own = await import("./own-connection");
  const sent: string[] = [];
  const sql = copy.interceptedStatements(database.sql, (query) => {
    sent.push(query.text);
    return query;
  });
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
  expect(sent).toEqual(["select 1 as n"]);
  expect(await own.inTransaction(sql, "write", (held) => held`select 2 as n`)).toEqual([{ n: 2 }]);
});
