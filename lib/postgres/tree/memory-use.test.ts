import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sql } from "../connections/sql";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

const owner = "o1";
const long = 50_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database.sql);
});
afterAll(() => database.drop());

/** A session of 300 messages of 1,000 characters and one of 50,000. */
async function seed(sql: Sql): Promise<void> {
  await sql`
    insert into chat_session (owner_id, session_id, message_count, active_branch)
    values (${owner}, 'short', 300, 1), (${owner}, 'long', ${long}, 2)`;
  await sql`
    insert into chat_branch (owner_id, branch_id, session_id, base, head)
    values (${owner}, 1, 'short', 0, 300), (${owner}, 2, 'long', 0, ${long})`;
  await sql`
    insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
    select
      owner_id, branch_id, pos, session_id, 'm' || pos, 'user', pos, 'text',
      '{"parts":[{"type":"text","text":"' || repeat(md5(pos::text), 31) || '"}]}'
    from chat_branch, generate_series(1, head) pos`;
}

describe("a session of 50,000 messages", () => {
  test("is read window by window and batch by batch in less than 50 MB", {
    tags: "long",
  }, async () => {
    const script = fileURLToPath(new URL("../testing/read-process.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--expose-gc",
      "--import",
      "tsx",
      script,
      database.url,
      owner,
      "short",
      "long",
    ]);
    const { windows, history } = JSON.parse(stdout);
    expect(windows.read).toBe(5 * 50);
    expect(windows.megabytes).toBeLessThan(50);
    expect(history.read).toBe(long);
    expect(history.megabytes).toBeLessThan(50);
  });
});
