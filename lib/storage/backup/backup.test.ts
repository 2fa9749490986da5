import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "@/lib/postgres/migrate";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { connect, MigrationError } from "@/lib/postgres/start";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { releasedBackup, withVersion } from "@/lib/postgres/testing/version-folder";
import { canMount, smallDisk } from "@/lib/storage/embedded/testing/small-disk";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { createBackupFile, openBackupFile } from "./backup-file";
import { BackupError, type Manifest } from "./backup-format";
import { type RestoreOptions, restoreBackup } from "./restore-backup";
import { changedBackup } from "./testing/changed-backup";
import { type DatabaseState, fillDatabase, stateOf } from "./testing/database-state";
import { writeBackup } from "./write-backup";

let folder: string;
let source: TestDatabase;
let target: TestDatabase;
let path: string;
let manifest: Manifest;
let state: DatabaseState;
const root = process.cwd();
const groveVersion = "0.1.0";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-backup-"));
  source = await createTestDatabase();
  await fillDatabase(source.sql, { messages: 40 });
  path = join(folder, "whole.zip");
  ({ manifest } = await writeBackup(source.sql, { path, root, groveVersion }));
  state = await stateOf(source.sql);
  return async () => {
    await source.drop();
    await rm(folder, { recursive: true, force: true });
  };
});
beforeEach(async () => {
  target = await createTestDatabase({ migrated: false });
  return () => target.drop();
});

async function restore(from: string, options: Partial<RestoreOptions> = {}): Promise<void> {
  const file = await openBackupFile(from);
  await restoreBackup(target.sql, file, { root, ...options }).finally(() => file.close());
}

async function refusal(act: Promise<unknown>): Promise<string> {
  const error: unknown = await act.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(BackupError);
  return (error as BackupError).message;
}

const tablesOf = async ({ sql }: TestDatabase) =>
  sql`select table_name from information_schema.tables where table_schema in ('public', 'drizzle', 'bookkeeping')`;

describe("A backup", () => {
  test("restores rows, sequences, functions and indexes into an empty database", {
    tags: "long",
  }, async () => {
    await restore(path);
    expect(await stateOf(target.sql)).toEqual(state);
  });

  test("holds provider keys as they are stored, encrypted", { tags: "long" }, async () => {
    const file = await openBackupFile(path);
    const secrets = manifest.tables.find(({ table }) => table === "chat_secret");
    const chunks = await Array.fromAsync(secrets ? file.read(secrets) : []);
    await file.close();
    expect(Buffer.concat(chunks).toString()).toContain("v1.nonce.tag.sealed");
  });

  test("says how many files it leaves to a bucket", { tags: "long" }, async () => {
    const { sql } = source;
    expect(manifest.elsewhere).toEqual({ files: 0, bytes: 0 });
    const sha256 = "a".repeat(64);
    await sql`
      insert into chat_file (owner_id, sha256, size, media_type, object)
      values ('bucket', ${sha256}, 1200, 'image/png', 'files/a')`;
    const elsewhere = join(folder, "elsewhere.zip");
    const written = await writeBackup(sql, { path: elsewhere, root, groveVersion });
    await sql`delete from chat_file where owner_id = 'bucket'`;
    expect(written.manifest.elsewhere).toEqual({ files: 1, bytes: 1_200 });
  });

  test("is one moment of a database that others write to", { tags: "long" }, async () => {
    const { sql } = source;
    const stop = new AbortController();
    const owner = "writer";
    // Each write keeps the two rows equal.
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n++) {
        await sql`
          insert into chat_owner (owner_id, words_seq) values (${owner}, ${n}), (${`${owner} too`}, ${n})
          on conflict (owner_id) do update set words_seq = excluded.words_seq`;
      }
    })();
    const moving = join(folder, "moving.zip");
    for (let n = 0; n < 3; n++) await writeBackup(sql, { path: moving, root, groveVersion });
    stop.abort();
    await writing;
    await sql`delete from chat_owner where owner_id like 'writer%'`;
    await restore(moving);
    const rows =
      await target.sql`select distinct words_seq from chat_owner where owner_id like 'writer%'`;
    expect(rows.length).toBeLessThanOrEqual(1);
  });

  test("holds a row that is larger than the driver's buffer, the last of its table", {
    tags: "long",
  }, async () => {
    const { sql } = source;
    const text = "x".repeat(70_000);
    await sql`insert into chat_secret (owner_id, name, description, sealed) values ('large', 'key', '{}', ${text})`;
    const large = join(folder, "large.zip");
    await writeBackup(sql, { path: large, root, groveVersion });
    await sql`delete from chat_secret where owner_id = 'large'`;
    await restore(large);
    const rows = await target.sql`select sealed from chat_secret where owner_id = 'large'`;
    expect(rows).toEqual([{ sealed: text }]);
  });

  test("is readable by its owner alone, and leaves no partial file", async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const stopped = AbortSignal.abort(new Error("Stopped."));
    const other = join(folder, "stopped.zip");
    await expect(
      writeBackup(source.sql, { path: other, root, groveVersion, signal: stopped }),
    ).rejects.toThrow("Stopped.");
    expect((await readdir(folder)).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  test("that cannot be written says why and what to do", async () => {
    const nowhere = join(folder, "missing/one.zip");
    expect(await refusal(writeBackup(source.sql, { path: nowhere, root, groveVersion }))).toMatch(
      /There is no .*missing\/one\.zip\. Check the path/,
    );
    expect(await refusal(writeBackup(target.sql, { path, root, groveVersion }))).toBe(
      "The database is empty, so there is nothing to back up.",
    );
  });
});

test.runIf(canMount())(
  "A backup leaves space on its disk for the database, and no partial file",
  { tags: "long" },
  async () => {
    const { dataDir } = await smallDisk(120);
    let least = Number.POSITIVE_INFINITY;
    const noise = async function* () {
      for (let n = 0; n < 120; n++) {
        yield randomBytes(1 << 20);
        const { bavail, bsize } = await statfs(dataDir);
        least = Math.min(least, bavail * bsize);
      }
    };
    const written = createBackupFile(join(dataDir, "one.zip"), {
      fill: (add) => add("noise", noise()),
    });
    expect(await refusal(written)).toMatch(/is full, or nearly/);
    expect(least).toBeGreaterThan(50 * 2 ** 20);
    expect(await readdir(dataDir)).toEqual([]);
  },
);

describe("A backup is refused before anything is touched", () => {
  const change = (name: string, alter: Parameters<typeof changedBackup>[2]) =>
    changedBackup(path, join(folder, name), alter);

  test("when any byte is changed", { tags: "long" }, async () => {
    const bytes = await readFile(path);
    const damaged = join(folder, "damaged.zip");
    for (let n = 0; n < 60; n++) {
      const at = Math.floor((n / 60) * bytes.length + Math.random() * (bytes.length / 60));
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ (1 << (n % 8));
      await writeFile(damaged, copy);
      expect(await refusal(openBackupFile(damaged))).toMatch(/damaged|not a whole backup/);
    }
  });

  test("when its end is missing", async () => {
    const bytes = await readFile(path);
    const short = join(folder, "short.zip");
    for (const length of [0, 1, 100, bytes.length / 2, bytes.length - 1]) {
      await writeFile(short, bytes.subarray(0, length));
      expect(await refusal(openBackupFile(short))).toMatch(/not a whole backup of Grove/);
    }
  });

  test("when it is something else", async () => {
    const other = join(folder, "notes.zip");
    await writeFile(other, "Just notes. ".repeat(50));
    expect(await refusal(openBackupFile(other))).toMatch(/not a whole backup of Grove/);
    expect(await refusal(openBackupFile(folder))).toMatch(/is a folder, not a backup/);
    expect(await refusal(openBackupFile(join(folder, "none.zip")))).toMatch(/There is no/);
  });

  test("when another program has changed and sealed it", { tags: "long" }, async () => {
    const rows = await change("rows.zip", {
      entry: (name, bytes) =>
        name.includes("chat_usage") ? Buffer.concat([bytes, Buffer.from("x\n")]) : bytes,
    });
    expect(await refusal(openBackupFile(rows))).toMatch(/damaged/);
    const more = await change("more.zip", { extra: { "tables/public.more.copy": "" } });
    expect(await refusal(openBackupFile(more))).toMatch(/other files than its manifest lists/);
    const columns = await change("columns.zip", {
      manifest: (old) => ({
        ...old,
        tables: old.tables.map((table) => ({ ...table, columns: [`a"; drop table x; --`] })),
      }),
    });
    expect(await refusal(openBackupFile(columns))).toMatch(/invalid manifest/);
    const newer = await change("newer.zip", {
      manifest: (old) => ({ ...old, format: 2, groveVersion: "9.0" }),
    });
    expect(await refusal(openBackupFile(newer))).toMatch(/made by a newer Grove \(9\.0\)/);
  });

  test("when a newer version of Grove made it", { tags: "long" }, async () => {
    const later = await change("later.zip", {
      manifest: (old) => ({
        ...old,
        groveVersion: "0.9.0",
        migrations: [...old.migrations, { tag: "9999_later", sha256: "a".repeat(64) }],
      }),
    });
    expect(await refusal(restore(later))).toMatch(
      /made by Grove 0\.9\.0, whose tables this version/,
    );
    expect(await tablesOf(target)).toEqual([]);
  });

  test("when it has not the tables of its version", { tags: "long" }, async () => {
    const fewer = await change("fewer.zip", {
      manifest: (old) => ({
        ...old,
        tables: old.tables.filter(({ table }) => table !== "chat_usage"),
      }),
      without: "tables/public.chat_usage.copy",
    });
    expect(await refusal(restore(fewer))).toMatch(/does not hold the tables and sequences of its/);
    const unnumbered = await change("unnumbered.zip", {
      manifest: (old) => ({ ...old, sequences: old.sequences.slice(1) }),
    });
    expect(await refusal(restore(unnumbered))).toMatch(/does not hold the tables and sequences/);
  });

  test("when the database holds data, unless it may be replaced", { tags: "long" }, async () => {
    await restore(path);
    await target.sql`update chat_session set title = 'Written later'`;
    const later = await stateOf(target.sql);
    expect(await refusal(restore(path))).toMatch(
      /already holds data \(chats: \d+\)\. Add --replace/,
    );
    expect(await stateOf(target.sql)).toEqual(later);
    const kept: string[] = [];
    await restore(path, { replace: true, beforeReplace: async () => void kept.push("kept") });
    expect(await stateOf(target.sql)).toEqual(state);
    expect(kept).toEqual(["kept"]);
  });

  test("when somebody wrote in the example, which alone is no data", { tags: "long" }, async () => {
    await migrate(target.sql);
    const store = new PostgresSessionStore(target.sql, "local");
    const { id } = await store.sessions.create("Example", { id: "example" });
    const say = (messageId: string) =>
      store.messages(id).appendMessage({ id: messageId, role: "user", parts: [] });
    await say("example-q");
    await new PostgresSettings(target.sql, "local").change({ exampleMade: true });
    const example = { sessionId: "example", messageIds: ["example-q"] };
    const kept: string[] = [];
    const beforeReplace = async () => void kept.push("kept");
    await say("mine");
    expect(await refusal(restore(path, { example, beforeReplace }))).toMatch(
      /holds data \(chats: 1/,
    );
    await target.sql`delete from chat_message where id = 'mine'`;
    await restore(path, { example, beforeReplace });
    expect(kept).toEqual(["kept"]);
    expect(await stateOf(target.sql)).toEqual(state);
    expect(await refusal(restore(path, { example }))).toMatch(/Add --replace/);
  });

  test("when what it would replace cannot be backed up", { tags: "long" }, async () => {
    await restore(path);
    const before = await stateOf(target.sql);
    const beforeReplace = async () => {
      throw new BackupError("The disk is full.");
    };
    expect(await refusal(restore(path, { replace: true, beforeReplace }))).toBe(
      "The disk is full.",
    );
    expect(await stateOf(target.sql)).toEqual(before);
  });

  test("while Grove runs on the database", async () => {
    const running = connect(target.url, { max: 1, connection: { application_name: "grove" } });
    await running`select 1`;
    expect(await refusal(restore(path))).toMatch(/Grove is running on this database\. Stop it/);
    await running.end();
  });

  test("when the database is of a newer version", { tags: "long" }, async () => {
    await restore(path);
    await target.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 1)`;
    await expect(restore(path, { replace: true })).rejects.toThrow(MigrationError);
  });
});

describe("A restore that fails", () => {
  test("leaves what was there, when rows break a rule of their table", {
    tags: "long",
  }, async () => {
    await restore(path);
    const before = await stateOf(target.sql);
    // One without its session, one with a role that no message has, one twice: checked at different moments.
    const breaks: [string, (line: string) => string][] = [
      ["chat_branch", (line) => line.replace(/^([^\t]*\t[^\t]*\t)[^\t]*/, "$1nowhere")],
      ["chat_message", (line) => line.replace(/\t(user|assistant)\t/, "\truler\t")],
      ["chat_session", (line) => `${line}\n${line}`],
    ];
    for (const [table, alter] of breaks) {
      const broken = await changedBackup(path, join(folder, `${table}.zip`), {
        table,
        lines: (lines) => lines.map((line, n) => (n === lines.length - 1 ? alter(line) : line)),
      });
      expect(await refusal(restore(broken, { replace: true }))).toMatch(/so nothing was changed/);
      expect(await stateOf(target.sql)).toEqual(before);
    }
  });

  test("leaves what was there, when it is stopped", { tags: "long" }, async () => {
    await restore(path);
    const before = await stateOf(target.sql);
    const stop = new AbortController();
    const beforeReplace = async () => stop.abort();
    const stopped = restore(path, { replace: true, beforeReplace, signal: stop.signal });
    expect(await refusal(stopped)).toBe("The restore was stopped. Nothing was changed.");
    expect(await stateOf(target.sql)).toEqual(before);
  });

  test("leaves what was there, when its connection is killed", { tags: "long" }, async () => {
    await restore(path);
    const before = await stateOf(target.sql);
    const killing = (async () => {
      for (let killed = 0; killed === 0; ) {
        const rows = await target.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'copy %' and pid <> pg_backend_pid()`;
        killed = rows.length;
      }
    })();
    expect(await refusal(restore(path, { replace: true }))).toMatch(/so nothing was changed/);
    await killing;
    expect(await stateOf(target.sql)).toEqual(before);
  });

  test("into a database with foreign tables of the same names touches none of them", {
    tags: "long",
  }, async () => {
    await target.sql`create table chat_session (theirs text)`;
    await target.sql`insert into chat_session values ('theirs')`;
    expect(await refusal(restore(path))).toMatch(/"chat_session" already exists/);
    expect(await target.sql`select * from chat_session`).toEqual([{ theirs: "theirs" }]);
  });
});

describe("A backup of an earlier version", () => {
  test("is restored with its own tables, then migrated forward", { tags: "long" }, async () => {
    const text =
      "alter table chat_session add column doubled text generated always as (title || title) stored;";
    await withVersion({ added: [{ tag: "9999_next", text, when: 9_999_999_999_999 }] }, (newer) =>
      restore(path, { root: newer }),
    );
    const rows =
      await target.sql`select count(*)::integer as chats from chat_session where doubled = title || title`;
    const [{ chats } = {}] = await source.sql`select count(*)::integer as chats from chat_session`;
    expect(rows).toEqual([{ chats }]);
  });

  test("of 0.1.0, whose ten migrations were squashed, is restored as it was", {
    tags: "long",
  }, async () => {
    const old = await openBackupFile(releasedBackup);
    const { migrations, tables } = old.manifest;
    await old.close();
    expect(migrations).toHaveLength(10);
    const restored = join(folder, "restored.zip");
    // Later migrations may change rows.
    const written = await withVersion({ count: 1 }, async (squashed) => {
      await restore(releasedBackup, { root: squashed });
      return writeBackup(target.sql, { path: restored, root: squashed, groveVersion });
    });
    // Their words are made again where a newer analysis makes others.
    const ofWords = ["word_analysis", "chat_search", "chat_document", "chat_word"];
    const rows = ({ schema, table, sha256, columns, ...sizes }: Manifest["tables"][number]) =>
      [schema, table, ofWords.includes(table) ? sizes.rows : sha256, columns.join()].join(" ");
    expect(written.manifest.tables.map(rows).toSorted()).toEqual(tables.map(rows).toSorted());
  });

  test("of a part of 0.1.0 is refused, and names the version that restores it", {
    tags: "long",
  }, async () => {
    const part = await changedBackup(releasedBackup, join(folder, "part.zip"), {
      manifest: (old) => ({ ...old, migrations: old.migrations.slice(0, 4) }),
    });
    expect(await refusal(restore(part))).toMatch(
      /made by Grove 0\.1\.0, .* Restore it with that version, back up there/,
    );
    expect(await tablesOf(target)).toEqual([]);
  });
});
