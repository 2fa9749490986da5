import { expect, onTestFinished, test } from "vitest";
import { connect } from "./connect";
import { withMoreTime } from "./connections/own-connection";
import { createTestDatabase } from "./testing/test-database";

async function impatientSql() {
  const database = await createTestDatabase();
  const sql = connect(database.url, { max: 1, deadlineMs: 100 });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await database.drop();
  });
  return sql;
}

test("a statement that was ended for its time is sent again with more, and counts once", {
  tags: "long",
}, async () => {
  const sql = await impatientSql();
  const slow = () => sql`
    with made as (insert into chat_owner (owner_id) select 'slow' from pg_sleep(0.3) returning 1) select count(*) from made`;
  await expect(slow()).rejects.toMatchObject({ code: "57014" });
  let sent = 0;
  await withMoreTime(sql, (its) => {
    sent++;
    return its`insert into chat_owner (owner_id) select 'slow' from pg_sleep(0.3)`;
  });
  expect(sent).toBe(2);
  expect(await sql`select owner_id from chat_owner`).toHaveLength(1);
});

test("any other failure is not tried again", async () => {
  const sql = await impatientSql();
  let sent = 0;
  const failing = withMoreTime(sql, (its) => {
    sent++;
    return its`select 1 / 0`;
  });
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(sent).toBe(1);
});
