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

test("an upgrade bookmarks the messages that have a name, and no others", {
  tags: "long",
}, async () => {
  const { sql } = database;
  const migrations = await readMigrations(process.cwd());
  const before = migrations.findIndex(({ tag }) => tag.endsWith("_bookmarks"));
  await withVersion({ count: before }, (root) => migrate(sql, { root }));
  await sql`insert into chat_session (owner_id, session_id) values ('o', 's')`;
  const [branch] = await sql<{ branch_id: number }[]>`
    insert into chat_branch (owner_id, session_id, base, head) values ('o', 's', 0, 4) returning branch_id`;
  await sql`
    insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content, pinned, label)
    select 'o', ${branch?.branch_id ?? 0}, pos, 's', id, 'user', pos, '', '{"parts":[]}', pinned, label
    from (
      values (1, 'plain', false, null), (2, 'named', false, 'A'), (3, 'pinned', true, null), (4, 'both', true, 'B')
    ) line (pos, id, pinned, label)`;
  await migrate(sql);
  expect(await sql`select id, pinned, label from chat_message order by pos`).toEqual([
    { id: "plain", pinned: false, label: null },
    { id: "named", pinned: true, label: "A" },
    { id: "pinned", pinned: true, label: null },
    { id: "both", pinned: true, label: "B" },
  ]);
});
