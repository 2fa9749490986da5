import { expect, onTestFinished, test } from "vitest";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import { Session } from "../session";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { PostgresSessionStore } from "./postgres-session-store";
import { createTestDatabase } from "./testing/test-database";
import { withVersion } from "./testing/version-folder";

const tables = ["chat_session", "chat_branch", "chat_message", "chat_run", "chat_owner"];

/** A version with one more migration, which only adds, and with other functions. */
const newer = {
  added: [
    {
      tag: "9999_newer",
      text: tables
        .map((table) => `alter table ${table} add column newer text;`)
        .join("\n--> statement-breakpoint\n"),
    },
  ],
  remark: "of a newer version",
};

test("a process of the version before goes on beside one that has added tables and columns", {
  tags: "long",
}, async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const old = connect(database.url, { max: 3 });
  onTestFinished(() => old.end({ timeout: 1 }));
  const session = Session.create(new PostgresSessionStore(old, "rolling")).forSession("s");
  const write = (n: number) =>
    session.appendMessage({ id: `m${n}`, role: "user", parts: [{ type: "text", text: `${n}` }] });
  // Prepared statements are planned before the upgrade.
  for (let n = 0; n < 20; n++) await write(n);
  await session.getHistory();

  let isUpgraded = false;
  const pool = connect(database.url, { max: 2 });
  onTestFinished(() => pool.end({ timeout: 1 }));
  const upgrading = withVersion(newer, (root) => migrate(pool, { root })).then(() => {
    isUpgraded = true;
  });
  let count = 20;
  while (!isUpgraded) await write(count++);
  await upgrading;
  for (const end = count + 20; count < end; count++) await write(count);

  const history = await session.getHistory();
  expect(history.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => `m${n}`));
  await session.deleteMessages([`m${count - 1}`]);
  expect(await session.getHistory()).toHaveLength(count - 1);
});

test("a process of the version before does not start on the newer database", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await withVersion(newer, (root) => migrate(database.sql, { root }));
  await expect(migrate(database.sql)).rejects.toThrow(
    "The database was changed by a newer version of Grove.",
  );
});

test("a run that a process of version 0.2 starts beside this one is ended by this one", async () => {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const store = new PostgresSessionStore(sql, "rolling");
  await store.sessions.create("Session", { id: "s" });
  await store.messages("s").appendMessage({ id: "q", role: "user", parts: [] });
  // Without an order, a fence and what it reserves.
  await sql`
    insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until)
    values ('rolling', 'a', 's', 'a', 'q', 'test/model', 'running', now() - interval '1 second')`;
  const [claimed] = await new RunClaims(sql, { leaseMs: 60_000 }).claim();
  expect(claimed).toMatchObject({ ownerId: "rolling", run: { id: "a", plan: null, fence: 1 } });
  const runs = new PostgresRunStore({ sql, chunks: sql, ownerId: "rolling" });
  const message = { id: "a", role: "assistant" as const, parts: [{ type: "text", text: "Half" }] };
  const answer = { sessionId: "s", message, place: { under: "q" } };
  await runs.end({ id: "a", fence: 1 }, { status: "interrupted", answer });
  expect(await runs.get("a")).toMatchObject({ status: "interrupted" });
  expect(await store.messages("s").getMessage("a")).toMatchObject(message);
});
