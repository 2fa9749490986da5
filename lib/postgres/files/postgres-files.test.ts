import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportLines } from "../portable/export-records";
import { importLines } from "../portable/import-lines";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { PostgresFiles, removeUnusedFiles, type StoredFile } from "./postgres-files";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-files-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function filesOf(ownerId: string = crypto.randomUUID()) {
  const { sql } = database;
  return {
    ownerId,
    files: new PostgresFiles(sql, ownerId),
    store: new PostgresSessionStore(sql, ownerId),
  };
}

async function written(bytes: Uint8Array): Promise<{ file: StoredFile; path: string }> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const path = join(folder, sha256);
  await writeFile(path, bytes);
  return {
    path,
    file: { sha256, size: bytes.length, mediaType: "image/png", facts },
  };
}

async function add(files: PostgresFiles, text: string): Promise<string> {
  const { file, path } = await written(Buffer.from(text));
  await files.add(file, { path, content: () => ({ facts, pages: [] }) });
  return file.sha256;
}

const facts = { width: 3 };

const naming = (id: string, sha256: string) => ({
  id,
  role: "user" as const,
  parts: [{ type: "file", mediaType: "image/png", url: `grove-file:${sha256}` }],
});

const citing = (id: string, sha256: string) => ({
  id,
  role: "assistant" as const,
  parts: [
    { type: "text", text: `As [it says, p. 1](grove-file:${sha256.slice(0, 12)}#page=1) there.` },
  ],
});

const everything = { unusedMs: -60_000, most: 1_000 };

describe("stored files", () => {
  test("gives back the exact bytes of a file of several chunks", async () => {
    const { files } = filesOf();
    const bytes = Buffer.alloc(1_300_000, (Math.random() * 255) | 1);
    const { file, path } = await written(bytes);
    await files.add(file, { path, content: () => ({ facts, pages: [] }) });
    const chunks = await Array.fromAsync((await files.chunks(file.sha256)) ?? []);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(await files.get(file.sha256)).toEqual(file);
  });

  test("stores the same file once, even when it comes twice at the same moment", async () => {
    const { files, ownerId } = filesOf();
    const { file, path } = await written(Buffer.from("twice"));
    await Promise.all(
      [1, 2, 3, 4].map(() => files.add(file, { path, content: () => ({ facts, pages: [] }) })),
    );
    const [row] = await database.sql`
      select count(*)::integer as chunks from chat_file_chunk where owner_id = ${ownerId}`;
    expect(row).toEqual({ chunks: 1 });
  });

  test("shows nothing of a file whose bytes have not all arrived, and takes it again", async () => {
    const { files } = filesOf();
    const { file, path } = await written(Buffer.from("half"));
    await expect(
      files.add(file, { path: `${path}-missing`, content: () => ({ facts, pages: [] }) }),
    ).rejects.toThrow();
    expect(await files.get(file.sha256)).toBeNull();
    expect(await files.chunks(file.sha256)).toBeNull();
    await files.add(file, { path, content: () => ({ facts, pages: [] }) });
    expect(await files.get(file.sha256)).toEqual(file);
  });

  test("gives the text of a range of pages", async () => {
    const { files } = filesOf();
    const { file, path } = await written(Buffer.from("pages"));
    const pages = [1, 2, 3].map((page) => ({ page, title: "", text: `Text ${page}\u0000` }));
    await files.add(file, { path, content: () => ({ facts, pages }) });
    expect((await files.pages(file.sha256, { from: 2, to: 3 })).map(({ text }) => text)).toEqual([
      "Text 2\u2400",
      "Text 3\u2400",
    ]);
  });
});

describe("exported files", () => {
  async function* given(lines: readonly string[]) {
    yield* lines;
  }

  test("come into another database with the chat that names them, with bytes and pages", async () => {
    const { files, store, ownerId } = filesOf();
    const { file, path } = await written(Buffer.alloc(700_000, 7));
    await files.add(file, {
      path,
      content: () => ({ facts, pages: [{ page: 1, title: "", text: "Quince" }] }),
    });
    await add(files, "unused");
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", file.sha256));
    await store.messages("s").appendMessage(naming("q2", file.sha256));
    const lines = await Array.fromAsync(exportLines(database.sql, { ownerId }));
    const other = filesOf();
    const report = await importLines(database.sql, given(lines), other);
    expect(report).toMatchObject({ sessions: { imported: 1 }, problemCount: 0 });
    expect(await other.files.get(file.sha256)).toEqual(file);
    const chunks = await Array.fromAsync((await other.files.chunks(file.sha256)) ?? []);
    expect(Buffer.concat(chunks).equals(Buffer.alloc(700_000, 7))).toBe(true);
    expect(await other.files.pages(file.sha256)).toMatchObject([{ page: 1, text: "Quince" }]);
    expect(lines.filter((line) => line.startsWith('{"type":"file"'))).toHaveLength(1);
  });

  test("come along once where an answer only cites them", async () => {
    const { files, store, ownerId } = filesOf();
    const sha256 = await add(files, "cited");
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", sha256));
    await store.messages("s").appendMessage(citing("a1", sha256));
    await store.sessions.create("Cited alone", { id: "t" });
    await store.messages("t").appendMessage(citing("a2", sha256));
    for (const sessionId of [undefined, "t"]) {
      const lines = await Array.fromAsync(exportLines(database.sql, { ownerId, sessionId }));
      expect(lines.filter((line) => line.startsWith('{"type":"file"'))).toHaveLength(1);
      const other = filesOf();
      await importLines(database.sql, given(lines), other);
      expect(await other.files.get(sha256)).not.toBeNull();
    }
  });

  test("are left out, with a sentence, when their bytes are others", async () => {
    const { files, store, ownerId } = filesOf();
    const sha256 = await add(files, "right");
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", sha256));
    const lines = await Array.fromAsync(exportLines(database.sql, { ownerId }));
    const wrong = Buffer.from("wrong").toString("base64");
    const changed = lines.map((line) =>
      line.startsWith('{"type":"file-chunk"')
        ? JSON.stringify({ type: "file-chunk", bytes: wrong })
        : line,
    );
    const other = filesOf();
    const report = await importLines(database.sql, given(changed), other);
    expect(report).toMatchObject({
      sessions: { imported: 1 },
      problems: [{ line: 7, message: "A file is incomplete, so it was left out." }],
    });
    expect(await other.files.get(sha256)).toBeNull();
  });
});

describe("files that are no longer used", () => {
  test("frees a file that no message names, and keeps one that a message names", async () => {
    const { files, store } = filesOf();
    const [used, unused] = [await add(files, "used"), await add(files, "unused")];
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", used));
    const cited = await add(files, "cited");
    await store.messages("s").appendMessage(citing("a1", cited));
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(used)).not.toBeNull();
    expect(await files.get(cited)).not.toBeNull();
    expect(await files.get(unused)).toBeNull();
  });

  test("several are found at once by hash or its first digits, each of its owner alone", async () => {
    const [mine, theirs] = [filesOf(), filesOf()];
    const [one, two] = [await add(mine.files, "one"), await add(mine.files, "two")];
    const other = await add(theirs.files, "other");
    const found = await mine.files.named([one, two.slice(0, 12), two, other, "0123", ""]);
    expect(new Set(found.map(({ sha256 }) => sha256))).toEqual(new Set([one, two]));
    expect(found).toHaveLength(2);
  });

  test("keeps a file until the last of a chat and its fork is removed for good", async () => {
    const { files, store } = filesOf();
    const sha256 = await add(files, "shared");
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", sha256));
    await store.sessions.fork("s", "q1", "Fork", { id: "f" });
    await store.sessions.delete("s", { permanently: true });
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(sha256)).not.toBeNull();
    await store.sessions.delete("f", { permanently: true });
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(sha256)).toBeNull();
  });

  test("keeps a file of a deleted message that can be restored", async () => {
    const { files, store } = filesOf();
    const sha256 = await add(files, "restorable");
    await store.sessions.create("Chat", { id: "s" });
    await store.messages("s").appendMessage(naming("q1", sha256));
    await store.messages("s").deleteMessages(["q1"]);
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(sha256)).not.toBeNull();
  });

  test("does not count another owner's message as a use", async () => {
    const [mine, theirs] = [filesOf(), filesOf()];
    const sha256 = await add(mine.files, "mine");
    await theirs.store.sessions.create("Chat", { id: "s" });
    await theirs.store.messages("s").appendMessage(naming("q1", sha256));
    await removeUnusedFiles(database.sql, everything);
    expect(await mine.files.get(sha256)).toBeNull();
  });

  test("never removes a file that is touched while it is being removed", async () => {
    const { files } = filesOf();
    const names = await Promise.all(Array.from({ length: 20 }, (_, n) => add(files, `race ${n}`)));
    await database.sql`update chat_file set touched_at = now() - interval '1 day' where sha256 = any (${names})`;
    const hour = { unusedMs: 3_600_000, most: 1_000 };
    const [touched] = await Promise.all([
      Promise.all(names.map((name) => files.touch([name]))),
      removeUnusedFiles(database.sql, hour),
    ]);
    const kept = await Promise.all(names.map((name) => files.get(name)));
    expect(kept.map((file) => file !== null)).toEqual(touched.map(({ length }) => length === 1));
  });
});
