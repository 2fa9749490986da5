import { expect, onTestFinished, test } from "vitest";
import { connect } from "../connect";
import { makeLargeOwner } from "../testing/large-owner";
import { createTestDatabase } from "../testing/test-database";
import { exportLines } from "./export-records";

async function countingDatabase() {
  const counted = { statements: 0 };
  const database = await createTestDatabase();
  const sql = connect(database.url, { max: 2, debug: () => void counted.statements++ });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await database.drop();
  });
  return { sql, counted };
}

test("An export of many chats reads them together, and their rows once", {
  tags: "long",
}, async () => {
  const { sql, counted } = await countingDatabase();
  const statements: number[] = [];
  for (const chats of [30, 300]) {
    const owner = `${chats} chats`;
    await makeLargeOwner(sql, { owner, chats, messagesOfChat: 3 });
    counted.statements = 0;
    const lines = await Array.fromAsync(exportLines(sql, { ownerId: owner }));
    statements.push(counted.statements);
    expect(lines.filter((line) => line.startsWith('{"type":"session"'))).toHaveLength(chats);
    // A fork repeats what it borrows.
    expect(lines.filter((line) => line.startsWith('{"type":"message"'))).toHaveLength(3 * chats);
  }
  const [few = 0, many = 0] = statements;
  expect(few).toBeGreaterThan(5);
  expect(many - few).toBeLessThan(30);
});

test("An export holds no snapshot between its pieces", { tags: "long" }, async () => {
  const { sql } = await countingDatabase();
  await makeLargeOwner(sql, { owner: "o", chats: 300, messagesOfChat: 2 });
  const lines = exportLines(sql, { ownerId: "o" });
  let sessions = 0;
  for await (const line of lines) {
    if (!line.startsWith('{"type":"session"')) continue;
    sessions++;
    // Deleted after the list of chats was made, and in none of the pieces that were read.
    if (sessions === 1)
      await sql`update chat_session set deleted_at = now() where owner_id = 'o' and session_id = 'chat-0000299'`;
  }
  expect(sessions).toBe(299);
});
