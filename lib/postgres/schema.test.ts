import { expect, test } from "vitest";
import { createTestDatabase } from "./testing/test-database";

test("the database refuses a message with a role that no message has", async () => {
  const { sql, drop } = await createTestDatabase();
  await sql`insert into chat_session (owner_id, session_id) values ('o', 's')`;
  const [branch] = await sql<{ branch_id: number }[]>`
    insert into chat_branch (owner_id, session_id, base, head) values ('o', 's', 0, 1) returning branch_id`;
  const message = (role: string) => sql`
    insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
    values ('o', ${branch?.branch_id ?? 0}, 1, 's', 'm', ${role}, 1, '', '{"parts":[]}')`;
  await expect(message("tool")).rejects.toMatchObject({ constraint_name: "chat_message_role" });
  await message("user");
  await drop();
});
