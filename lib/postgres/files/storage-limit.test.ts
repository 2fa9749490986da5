import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";
import { exportLines } from "../portable/export-records";
import { importLines } from "../portable/import-lines";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { PostgresFiles, removeUnusedFiles } from "./postgres-files";

let database: TestDatabase;
let folder: string;
let ownerId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-storage-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  ownerId = crypto.randomUUID();
  await database.sql`
    insert into account_user (id, owner_id, role, name, email)
    values (${ownerId}, ${ownerId}, 'member', 'Bob', ${`${ownerId}@example.org`})`;
  await limit("everyone", null);
});

const none = { monthlyDollars: null, messagesPerDay: null };
const limit = (person: string, storedMegabytes: number | null) =>
  new PostgresAccounts(database.sql).policies.change(person, {
    limits: storedMegabytes === null ? null : { ...none, storedMegabytes },
  });

/** Adds a file whose row says `size`, and whose bytes are few. */
async function add(name: string, size: number, owner = ownerId): Promise<string> {
  const sha256 = createHash("sha256").update(name).digest("hex");
  const path = join(folder, sha256);
  await writeFile(path, name);
  await new PostgresFiles(database.sql, owner).add(
    { sha256, size, mediaType: "text/plain" },
    { path, content: () => ({ facts: {}, pages: [] }) },
  );
  return sha256;
}

const storage = () => new PostgresFiles(database.sql, ownerId).storage();
const isFull = { name: "StorageFullError" };

test("says how much is used and allowed, and what to do, before anything is stored", async () => {
  await limit(ownerId, 10);
  await add("first", 9_400_000);
  await expect(add("second", 600_001)).rejects.toThrow(
    "Your files use 9.4 MB of the 10 MB that you may store, so this file of 0.7 MB does not fit. Delete chats with large files, then delete them for good in Settings, Data, Recently deleted",
  );
  await add("fits", 600_000);
  expect(await storage()).toEqual({ used: 10_000_000, allowed: 10_000_000 });
});

test("of uploads at once, those that fit together are stored", async () => {
  await limit(ownerId, 10);
  const ends = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => add(`upload ${n}`, 3_000_000)),
  );
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject(isFull);
  expect((await storage()).used).toBe(9_000_000);
});

test("a file that is stored counts once and comes again, also when the storage is full", async () => {
  await limit(ownerId, 1);
  await Promise.all([1, 2, 3].map(() => add("same", 1_000_000)));
  await add("same", 1_000_000);
  expect((await storage()).used).toBe(1_000_000);
});

test("a person's limit counts instead of that for everyone, and a limit of nothing refuses every file", async () => {
  await limit("everyone", 1);
  await expect(add("large", 2_000_000)).rejects.toMatchObject(isFull);
  await limit(ownerId, 2);
  await add("large", 2_000_000);
  await limit(ownerId, 0);
  await expect(add("small", 1)).rejects.toMatchObject(isFull);
  await add("elsewhere", 5_000_000, "local");
});

test("what is stored already stays when a limit is set below it", async () => {
  const sha256 = await add("before", 5_000_000);
  await limit(ownerId, 1);
  expect(await new PostgresFiles(database.sql, ownerId).get(sha256)).not.toBeNull();
  await expect(add("after", 1)).rejects.toMatchObject(isFull);
});

test("space is free once a file is removed, and that of one whose bytes never came after an hour", async () => {
  await limit(ownerId, 1);
  await add("removed", 1_000_000);
  await removeUnusedFiles(database.sql, { unusedMs: -60_000, most: 1_000 });
  await add("next", 1_000_000);
  await database.sql`
    update chat_file set complete = false, touched_at = now() - interval '61 minutes'
    where owner_id = ${ownerId}`;
  await add("last", 1_000_000);
  await expect(add("next", 1_000_000)).rejects.toMatchObject(isFull);
});

test("a policy that nobody understands is no limit", async () => {
  for (const given of ['"5"', "[]", '{"storedMegabytes":"5"}', "5"]) {
    await database.sql`
      insert into chat_owner (owner_id, settings)
      values (${`account/${ownerId}`}, ${`{"limits":${given}}`}::text::jsonb)
      on conflict (owner_id) do update set settings = excluded.settings`;
    expect(await storage()).toMatchObject({ allowed: null });
  }
});

test("an import names each file that does not fit, and takes all else", {
  tags: "long",
}, async () => {
  const from = crypto.randomUUID();
  const messages = new PostgresSessionStore(database.sql, from).messages("s");
  await new PostgresSessionStore(database.sql, from).sessions.create("Chat", { id: "s" });
  for (const name of ["one", "other"]) {
    const url = `grove-file:${await add(name, name.length, from)}`;
    const parts = [
      { type: "text", text: name },
      { type: "file", mediaType: "text/plain", url },
    ];
    await messages.appendMessage({ id: name, role: "user", parts });
  }
  const lines = () => exportLines(database.sql, { ownerId: from });
  await limit(ownerId, 0);
  const report = await importLines(database.sql, lines(), { ownerId });
  expect(report.problems.map(({ message }) => message)).toEqual(
    [1, 2].map(() => expect.stringContaining("Your files use 0 MB of the 0 MB")),
  );
  const imported = new PostgresSessionStore(database.sql, ownerId).messages("s");
  expect(await imported.getPathLength()).toBe(2);
  await limit(ownerId, 1);
  expect((await importLines(database.sql, lines(), { ownerId })).problemCount).toBe(0);
  expect((await storage()).used).toBe(8);
});

test("never more is stored than allowed, and nothing that fits is refused", {
  tags: "long",
}, async () => {
  const files = fc.array(
    fc.record({ name: fc.integer({ min: 0, max: 5 }), size: fc.integer({ min: 1, max: 9 }) }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 0, max: 12 }), async (given, allowed) => {
      await database.sql`delete from chat_file where owner_id = ${ownerId}`;
      await limit(ownerId, allowed);
      const stored = new Map<number, number>();
      for (const { name, size } of given) {
        const used = [...stored.values()].reduce((sum, each) => sum + each, 0);
        const fits = stored.has(name) || used + size <= allowed;
        const end = await add(`${name}`, size * 1_000_000).then(
          () => true,
          () => false,
        );
        expect(end).toBe(fits);
        if (fits && !stored.has(name)) stored.set(name, size);
      }
    }),
    { numRuns: 15 },
  );
});
