import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { connect } from "../connect";
import { identifier } from "../connections/sql";
import { interceptedStatements } from "../connections/statement";
import { PostgresSessionStore } from "../postgres-session-store";
import { makeLargeOwner } from "../testing/large-owner";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { stopDeleting } from "./clearing";
import { countData, deleteEverything } from "./delete-rows";
import { exportedLines, fullOwner, withoutTimes } from "./testing/full-owner";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const storeOf = (owner: string) => new PostgresSessionStore(database.sql, owner);

const exported = (owner: string, sessionId?: string) =>
  exportedLines(database.sql, owner, sessionId);

describe("deleting everything", () => {
  test("leaves no row of the owner in any table, and every row of others", {
    tags: "long",
  }, async () => {
    const [owner, other] = [await fullOwner(database.sql), await fullOwner(database.sql)];
    const theirs = await exported(other);
    expect(await countData(database.sql, owner)).toEqual({
      sessions: 2,
      messages: 5,
      documents: 3,
      providers: 1,
      calls: 1,
    });
    const agents = [owner, other].map((each) => storeOf(each).namespace("agent"));
    for (const agent of agents) await agent.sessions.create("Agent", { id: "a" });
    await storeOf(owner).proposals.add({
      ...{ sessionId: null, messageId: null, program: "Tests", blockId: "facts", key: null },
      ...{ title: null, description: null, action: "append", content: "Tea", baseVersion: 0 },
    });
    const { sessionIds, isStopped } = await deleteEverything(database.sql, owner);
    expect([sessionIds.toSorted(), isStopped]).toEqual([["fork", "tea"], false]);
    expect(await Promise.all(agents.map(({ sessions }) => sessions.get("a")))).toEqual([
      null,
      expect.objectContaining({ name: "Agent" }),
    ]);
    const tables = await database.sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'owner_id' and table_name <> 'chat_owner'`;
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const rows = await database.sql`
        select from ${identifier(name)} where owner_id = ${owner}`;
      expect(rows, name).toHaveLength(0);
    }
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(theirs));
    expect(await new PostgresSettings(database.sql, owner).read()).toEqual({ exampleMade: true });
  });

  test("leaves release notes read", async () => {
    const owner = crypto.randomUUID();
    const settings = new PostgresSettings(database.sql, owner);
    await settings.change({ seenVersion: "1.2.3", memoryMode: "off" });
    await deleteEverything(database.sql, owner);
    expect(await settings.read()).toEqual({ exampleMade: true, seenVersion: "1.2.3" });
  });
});

describe("deleting many chats", () => {
  /** Sessions that show another number of messages than they have. */
  async function brokenSessions(owner: string): Promise<string[]> {
    const rows = await database.sql<{ id: string }[]>`
      select session.session_id as id
      from chat_session session
      left join lateral chat_lines(${owner}, session.session_id, null, -1, 1000, 1000, false, 0) line on true
      where session.owner_id = ${owner}
      group by session.session_id, session.message_count
      having count(line.id) <> session.message_count`;
    return rows.map(({ id }) => id);
  }

  test("leaves whole chats wherever it is interrupted, and ends when it is repeated", {
    tags: "long",
  }, async () => {
    const owner = crypto.randomUUID();
    await makeLargeOwner(database.sql, { owner, chats: 300, messagesOfChat: 60 });
    // Also forks that are older than what they borrow from, as an import may bring them.
    await database.sql`
      update chat_session set created_at = now() - random() * interval '1 day'
      where owner_id = ${owner} and right(session_id, 2) >= '50'`;
    const left: number[] = [];
    for (let statement = 1; ; statement++) {
      let sent = 0;
      // As a minute later: the one before may have died.
      await database.sql`update chat_clearing set renewed_at = now() - interval '2 minutes'`;
      const interrupted = interceptedStatements(database.sql, (query) => {
        if (++sent > statement) throw new Error("interrupted");
        return query;
      });
      const ended = await deleteEverything(interrupted, owner).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Error && error.message === "interrupted")) throw error;
          return false;
        },
      );
      expect(await brokenSessions(owner)).toEqual([]);
      left.push((await countData(database.sql, owner)).sessions);
      if (ended) break;
    }
    expect(left.length).toBeGreaterThan(5);
    expect(left.at(-1)).toBe(0);
    expect(new Set(left).size).toBeGreaterThan(3);
  });

  test("stops between chats when it is asked to, and what is left is open and goes with the next", async () => {
    const { sql } = database;
    const owner = crypto.randomUUID();
    await makeLargeOwner(sql, { owner, chats: 30, messagesOfChat: 4 });
    expect(await stopDeleting(sql, owner)).toBe(false);
    const writer = connect(database.url, { max: 1 });
    onTestFinished(() => writer.end({ timeout: 1 }));
    await writer`begin`;
    await writer`
      select from chat_session where owner_id = ${owner} order by created_at, session_id limit 1 for update`;
    const deleting = deleteEverything(sql, owner);
    // A chat that somebody writes to is waited for.
    const patient = { interval: 20, timeout: 30_000 };
    await expect.poll(async () => (await countData(sql, owner)).sessions, patient).toBe(1);
    expect(await stopDeleting(sql, owner)).toBe(true);
    await writer`rollback`;
    const { sessionIds, isStopped } = await deleting;
    expect([sessionIds.length, isStopped]).toEqual([29, true]);
    const left = (await countData(sql, owner)).sessions;
    expect(left).toBe(1);
    expect(await brokenSessions(owner)).toEqual([]);
    await sql`insert into chat_session (owner_id, session_id) values (${owner}, 'after')`;
    const last = await deleteEverything(sql, owner);
    expect([last.sessionIds.length, last.isStopped]).toEqual([2, false]);
  });
});
