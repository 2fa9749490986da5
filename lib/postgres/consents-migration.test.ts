import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate";
import { readMigrations } from "./migrations";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { withVersion } from "./testing/version-folder";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

test("an upgrade moves consents that a person gave, and no others, out of the metadata of chats", {
  tags: "long",
}, async () => {
  const { sql } = database;
  const migrations = await readMigrations(process.cwd());
  const before = migrations.findIndex(({ tag }) => tag.endsWith("_consents"));
  expect(before).toBeGreaterThan(0);
  await withVersion({ count: before }, (root) => migrate(sql, { root }));
  const metadata = {
    "allowed asked weather v 1": true,
    "allowed asked mail ": true,
    "allowed other weather ": true,
    memoryMode: "ask",
  };
  const pause = {
    number: 1,
    calls: [{ approvalId: "1", toolCallId: "c", decision: { approved: true } }],
  };
  for (const id of ["asked", "forged"]) {
    const own = JSON.parse(JSON.stringify(metadata).replaceAll("allowed asked", `allowed ${id}`));
    await sql`insert into chat_session (owner_id, session_id, metadata) values ('o', ${id}, ${JSON.stringify(own)}::text::jsonb)`;
    const [branch] = await sql<{ branch_id: number }[]>`
      insert into chat_branch (owner_id, session_id, base, head) values ('o', ${id}, 0, 1) returning branch_id`;
    const content = JSON.stringify({ parts: [{ type: "tool-weather", toolCallId: "c" }] });
    await sql`
      insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
      values ('o', ${branch?.branch_id ?? 0}, 1, ${id}, ${`answer of ${id}`}, 'assistant', 1, '', ${content})`;
    await sql`
      insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until, pause)
      values (
        'o', ${`run of ${id}`}, ${id}, ${`answer of ${id}`}, 'q', 'm', 'complete', now(),
        ${id === "asked" ? JSON.stringify(pause) : null}::text::jsonb
      )`;
  }
  await migrate(sql);
  expect(await sql`select session_id, tool, version from chat_consent`).toEqual([
    { session_id: "asked", tool: "weather", version: "v 1" },
  ]);
  expect(await sql`select distinct metadata from chat_session`).toEqual([
    { metadata: { memoryMode: "ask" } },
  ]);
});
