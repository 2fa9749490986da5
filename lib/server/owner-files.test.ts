import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReadContent } from "@/lib/files/read-content";
import { PostgresFiles } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { canMount, smallDisk } from "@/lib/storage/embedded/testing/small-disk";
import { ownerFiles } from "./owner-files";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const bytes = Buffer.from("%PDF-1.7\n");
const late: ReadContent = { facts: { problem: "It took too long.", mayPass: true }, pages: [] };
const damaged: ReadContent = { facts: { problem: "It is damaged." }, pages: [] };
const quince: ReadContent = {
  facts: { tokens: 2, pages: 1 },
  pages: [{ page: 1, title: "", text: "Quince" }],
};

/** Files whose readings give these contents, one after the other. */
function filesReading(...contents: readonly ReadContent[]) {
  const readings = contents.values();
  const stored = new PostgresFiles(database.sql, crypto.randomUUID());
  return ownerFiles(stored, {
    async read() {
      const { value } = readings.next();
      if (!value) throw new Error("It is read too often.");
      return value;
    },
  });
}

test("a file whose reader failed is read again each time it arrives, until it is read", async () => {
  const files = filesReading(late, late, quince);
  const first = await files.put(bytes);
  expect(first).toMatchObject({ problem: "It took too long." });
  expect(await files.put(bytes)).toEqual(first);
  const { problem: _, ...file } = first;
  const read = { ...file, tokens: 2, pages: 1 };
  expect(await files.put(bytes)).toEqual(read);
  expect(await files.put(bytes)).toEqual(read);
  expect(await files.touch([file.sha256])).toEqual([read]);
  expect(await files.pages(file.sha256)).toEqual(quince.pages);
});

test("a file with a fault of its own is read once", async () => {
  const files = filesReading(damaged);
  const first = await files.put(bytes);
  expect(first).toMatchObject({ problem: "It is damaged." });
  expect(await files.put(bytes)).toEqual(first);
});

test.runIf(canMount())(
  "a file that fills the disk is refused with a sentence, and nothing of it stays",
  async () => {
    const { dataDir } = await smallDisk(8);
    const stored = new PostgresFiles(database.sql, crypto.randomUUID());
    const files = ownerFiles(stored, { folder: join(dataDir, "uploads") });
    const large = Buffer.alloc(12_000_000, "a");
    const sha256 = createHash("sha256").update(large).digest("hex");
    await expect(files.put(large)).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining("nothing you typed is lost"),
    });
    expect(await files.get(sha256)).toBeNull();
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    expect(await files.put(large.subarray(0, 1_000))).toMatchObject({ size: 1_000 });
  },
);

const upload = { name: "a.pdf", readsLater: true };

/** Files with one reading, which ends when `reading` does. */
function filesWithReading(ownerId: string = crypto.randomUUID()) {
  const reading = Promise.withResolvers<ReadContent>();
  const files = ownerFiles(new PostgresFiles(database.sql, ownerId), {
    read: () => reading.promise,
    readWithinMs: 1,
  });
  return { files, ownerId, reading };
}

test("an uploaded document is stored at once and read afterwards", async () => {
  const { files, reading } = filesWithReading();
  const stored = await files.put(bytes, upload);
  expect(stored).toMatchObject({ size: bytes.length, unread: true });
  expect(await files.put(bytes, upload)).toEqual(stored);
  expect(await files.get(stored.sha256)).toEqual(stored);
  reading.resolve(quince);
  const { unread: _, ...file } = stored;
  const read = { ...file, ...quince.facts };
  await expect.poll(() => files.get(stored.sha256)).toEqual(read);
  expect(await files.pages(stored.sha256)).toEqual(quince.pages);
  expect(await files.whenRead([stored.sha256])).toEqual([read]);
});

test("a message waits for its documents, and is refused for now when that takes too long", async () => {
  const { files, reading } = filesWithReading();
  const { sha256 } = await files.put(bytes, upload);
  await expect(files.whenRead([sha256])).rejects.toMatchObject({ code: "file-unread" });
  reading.resolve(damaged);
  await expect.poll(() => files.get(sha256)).toMatchObject({ problem: "It is damaged." });
  expect(await files.whenRead([sha256])).toMatchObject([{ problem: "It is damaged." }]);
});

test("a document that a process left unread is read by the next one that is asked for it", async () => {
  const { files, ownerId } = filesWithReading();
  const { sha256 } = await files.put(bytes, upload);
  const next = filesWithReading(ownerId);
  expect(await next.files.touch([sha256])).toMatchObject([{ unread: true }]);
  next.reading.resolve(quince);
  await expect.poll(() => next.files.get(sha256)).toMatchObject(quince.facts);
});

test("what a tool or a program brings is read before it is used", async () => {
  const { files, reading } = filesWithReading();
  await files.put(bytes, upload);
  const used = files.put(bytes);
  reading.resolve(quince);
  expect(await used).toMatchObject(quince.facts);
});

test("a reading that failed replaces nothing that another process has read", async () => {
  const { files, ownerId, reading } = filesWithReading();
  const { sha256 } = await files.put(bytes, upload);
  const other = filesWithReading(ownerId);
  await other.files.touch([sha256]);
  other.reading.resolve(quince);
  await expect.poll(() => other.files.get(sha256)).toMatchObject(quince.facts);
  const failing = files.put(bytes);
  reading.resolve(late);
  expect(await failing).toMatchObject(quince.facts);
  expect(await files.get(sha256)).toMatchObject(quince.facts);
});
