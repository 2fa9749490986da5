import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { Session } from "@/lib/session";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { PostgresSessionStore } from "./postgres-session-store";
import { createTestDatabase } from "./testing/test-database";

const journalSchema = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })),
});

/** A folder of a version with one more migration, which only adds, and with other functions. */
async function newerVersion(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "grove-newer-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  await cp("lib/postgres", join(root, "lib/postgres"), { recursive: true });
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = journalSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const last = journal.entries.at(-1);
  if (!last) throw new Error("There are no migrations.");
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_newer" };
  await writeFile(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  const tables = ["chat_session", "chat_branch", "chat_message", "chat_run", "chat_owner"];
  const added = tables.map((table) => `alter table ${table} add column newer text;`);
  await writeFile(join(root, "drizzle/9999_newer.sql"), added.join("\n--> statement-breakpoint\n"));
  await appendFile(join(root, "lib/postgres/tree/01-path.sql"), "\n-- of a newer version\n");
  return root;
}

test("a process of the version before goes on beside one that has added tables and columns", async () => {
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
  const newer = connect(database.url, { max: 2 });
  onTestFinished(() => newer.end({ timeout: 1 }));
  const upgrading = migrate(newer, { root: await newerVersion() }).then(() => {
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
  await migrate(database.sql, { root: await newerVersion() });
  await expect(migrate(database.sql)).rejects.toThrow(
    "The database was changed by a newer version of Grove.",
  );
});
