import { SessionEvents } from "grove-session";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type FileStore, readFile } from "@/lib/chat/core/file-store";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import { bucketReport } from "@/lib/commands/files-elsewhere";
import { removeUnusedFiles, unknownObjects } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { S3Server, testCredentials } from "@/lib/s3/testing/s3-server";
import { type FileBucket, readFileBucket } from "./file-bucket";
import { fileResponse } from "./file-transfer";
import { ownerServices } from "./owner-services";

let database: TestDatabase;
let server: S3Server;
let bucket: FileBucket;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await S3Server.start("files");
  const made = readFileBucket({
    GROVE_FILES_S3_ENDPOINT: server.endpoint,
    GROVE_FILES_S3_BUCKET: "files",
    GROVE_FILES_S3_PREFIX: "grove/",
    GROVE_FILES_S3_ACCESS_KEY_ID: testCredentials.accessKeyId,
    GROVE_FILES_S3_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
  });
  if (!made) throw new Error("There is no bucket.");
  bucket = made;
});
afterEach(() => {
  server.behaviour = "normal";
});
afterAll(async () => {
  await database.drop();
  await server.stop();
});

function files({ sql }: TestDatabase = database): FileStore {
  const ownerId = crypto.randomUUID();
  const events = new SessionEvents(ownerId);
  return ownerServices({
    sql,
    chunkSql: sql,
    ...inOwnSpace(asPerson(ownerId)),
    events,
    fileSettings: { place: bucket },
  }).files;
}

describe("files in a bucket", () => {
  test("are there byte for byte, and not in the database", async () => {
    const store = files();
    const { sha256 } = await store.put(redPixel, { name: "dot.png" });
    expect(Buffer.from(await readFile(store, sha256))).toEqual(redPixel);
    const [chunks] = await database.sql`
      select count(*)::integer as count from chat_file_chunk where sha256 = ${sha256}`;
    expect(chunks).toEqual({ count: 0 });
    expect([...server.objects.keys()].every((name) => name.startsWith("grove/files/"))).toBe(true);
  });

  test("are not half stored when the bucket is broken, and are taken once it works", async () => {
    const store = files();
    const bytes = Buffer.from("a text of its own");
    server.behaviour = "broken";
    await expect(store.put(bytes)).rejects.toMatchObject({ code: "file-unavailable" });
    server.behaviour = "normal";
    const { sha256 } = await store.put(bytes);
    expect(Buffer.from(await readFile(store, sha256))).toEqual(bytes);
  });

  test("are reported when the bucket has lost them", async () => {
    const store = files();
    const { sha256 } = await store.put(Buffer.from("lost"));
    server.objects.clear();
    await expect(readFile(store, sha256)).rejects.toMatchObject({ code: "file-unavailable" });
  });

  test("are not sent when the bucket is down, and are once it is back", {
    tags: "long",
  }, async () => {
    const store = files();
    const { sha256 } = await store.put(redPixel, { name: "dot.png" });
    const asked = () =>
      fileResponse(store, new Request("http://127.0.0.1/"), {
        sha256,
        name: "dot.png",
        hasAccounts: false,
      });
    server.behaviour = "broken";
    await expect(asked()).rejects.toMatchObject({ code: "file-unavailable" });
    server.behaviour = "normal";
    const response = await asked();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(redPixel);
  });

  test("are removed a day after their last use ended, and others stay", async () => {
    const store = files();
    server.objects.clear();
    await store.put(Buffer.from("unused"));
    await removeUnusedFiles(database.sql, { unusedMs: -60_000, most: 1_000 });
    const kept = await store.put(Buffer.from("kept"));
    for (const [name, object] of server.objects)
      server.objects.set(name, { ...object, updatedAt: new Date(0) });
    await bucket.removeUnknown((names) => unknownObjects(database.sql, names));
    expect(server.objects.size).toBe(1);
    expect(Buffer.from(await readFile(store, kept.sha256)).toString()).toBe("kept");
  });

  test("are named after a restore: none, all there, some missing, or no bucket to ask", async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const environment = {
      GROVE_FILES_S3_ENDPOINT: server.endpoint,
      GROVE_FILES_S3_BUCKET: "files",
      GROVE_FILES_S3_PREFIX: "grove/",
      GROVE_FILES_S3_ACCESS_KEY_ID: testCredentials.accessKeyId,
      GROVE_FILES_S3_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    };
    const report = (given: Record<string, string> = environment) => bucketReport(other.sql, given);
    expect(await report()).toBeNull();
    server.objects.clear();
    const store = files(other);
    await store.put(Buffer.from("one"));
    expect(await report()).toBe(
      "The bytes of 1 file (0.0 MB) are in a bucket, not in the backup. All of them are there.",
    );
    expect(await report({})).toMatch(/Set GROVE_FILES_S3_… to that bucket/);
    server.objects.clear();
    await store.put(Buffer.from("two"));
    expect(await report()).toMatch(/of 2 files .* 1 file \(0\.0 MB\) missing there/);
    server.behaviour = "broken";
    expect(await report()).toMatch(/It could not be asked which of them it holds/);
  });

  test("need the variables of the bucket", () => {
    expect(readFileBucket({})).toBeNull();
    expect(() => readFileBucket({ GROVE_FILES_S3_BUCKET: "x" })).toThrow(
      "GROVE_FILES_S3_ACCESS_KEY_ID is not set.",
    );
  });
});
