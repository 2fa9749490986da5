import { expect, inject, onTestFinished, test } from "vitest";
import { connect } from "../connect";
import { ownConnection } from "../connections/own-connection";
import { identifier, type Sql } from "../connections/sql";
import { makeLargeChat } from "../testing/large-owner";
import { createTestDatabase } from "../testing/test-database";

const owner = "large";

/** A connection to an empty database that counts calls of functions, which only an administrator may ask for. */
async function countingSql(): Promise<Sql> {
  const database = await createTestDatabase();
  const admin = connect(inject("testServer").adminUrl, { max: 1 });
  const name = new URL(database.url).pathname.slice(1);
  await admin`alter database ${identifier(name)} set track_functions = 'all'`;
  await admin.end({ timeout: 1 });
  const sql = connect(database.url, { max: 2 });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await database.drop();
  });
  return sql;
}

/** Calls of SQL functions, but for the one that looks at each branch once, within `statement`, which changes nothing for good. */
async function callsOf(sql: Sql, statement: string): Promise<number> {
  const own = ownConnection(sql);
  try {
    await own.unsafe("begin");
    await own.unsafe(statement);
    const [row] = await own<[{ calls: number }]>`
      select coalesce(sum(calls), 0)::integer as calls
      from pg_stat_xact_user_functions where funcname <> 'chat_first'`;
    await own.unsafe("rollback");
    return row.calls;
  } finally {
    await own.end({ timeout: 1 });
  }
}

const deletionOf = (ids: string, named = "array['t2']") =>
  `select from chat_delete('large', 'chat', ${ids}, ${named}, 'd')`;

test("Deleting and restoring a subtree calls as many functions for many messages as for few", {
  tags: "long",
}, async () => {
  const sql = await countingSql();
  const calls: number[][] = [];
  for (const messages of [40, 1_000]) {
    await makeLargeChat(sql, { owner, session: "chat", messages, branches: messages / 5 });
    const subtree = "chat_with_descendants('large', 'chat', array['t2'])";
    const listed = "(select array_agg(id) from chat_message where owner_id = 'large')";
    const restoring = `${deletionOf(subtree)}; select chat_restore('large', 'chat', 'd')`;
    calls.push([
      await callsOf(sql, deletionOf(subtree)),
      await callsOf(sql, deletionOf(listed, listed)),
      await callsOf(sql, restoring),
      await callsOf(sql, `${deletionOf(subtree)}; select chat_forget('large', 'd')`),
    ]);
    await sql`truncate chat_owner, chat_session, chat_branch, chat_message, chat_search cascade`;
  }
  expect(calls[1]).toEqual(calls[0]);
});
