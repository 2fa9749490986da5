import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { PostgrestClient } from "@supabase/postgrest-js";
import { SessionManager } from "grove-session";
import {
  ArchiveNotFoundError,
  dynamoArchive,
  ExportDamagedError,
  folderArchive,
  type MongoArchiveDocument,
  mongoArchive,
  parseSessionText,
  redisArchive,
  type SessionArchive,
  s3Archive,
  sessionText,
  sqliteArchive,
  supabaseArchive,
} from "grove-session/archives";
import { assistant, describeArchive, ids, user } from "grove-session/testing";
import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onEveryStore } from "./every-store";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "archives-"));
});
afterAll(() => rm(folder, { recursive: true }));

onEveryStore((openStore) => {
  test("archiving, deleting and restoring", async () => {
    const store = openStore();
    const sessions = SessionManager.create(store);
    await sessions.create("Tea", { id: "tea" });
    await sessions.appendAll("tea", [user("q1"), assistant("a1"), user("q2")]);
    await sessions.append("tea", assistant("a2"), "q1");

    const archive = folderArchive(join(folder, "ada"));
    await sessions.archiveTo(archive, "tea");
    await sessions.delete("tea");
    for await (const { sessionId, archivedAt, bytes } of archive.list()) {
      process.stdout.write(`${sessionId}: ${bytes} bytes of ${archivedAt.toISOString()}\n`);
    }
    const info = await sessions.restoreFrom(archive, "tea");
    await archive.delete("tea");

    expect(info.messageCount).toBe(4);
    expect(ids(await sessions.getBranches("tea", "q1"))).toEqual(["a1", "a2"]);
    expect(await archive.get("tea")).toBeNull();
    await expect(sessions.restoreFrom(archive, "tea")).rejects.toThrow(ArchiveNotFoundError);
  });

  test("a session that names stored files is refused, unless its caller agrees", async () => {
    const store = openStore();
    const sessions = SessionManager.create(store);
    await sessions.create("Tea", { id: "tea" });
    const url = `grove-file:${"a".repeat(64)}`;
    const file = { type: "file", url, filename: "tea.pdf", mediaType: "application/pdf" };
    await sessions.append("tea", { ...user("q1"), parts: [file, file] });
    const archive = memoryArchive();
    const refused = sessions.archiveTo(archive, "tea");
    await expect(refused).rejects.toMatchObject({ code: "files-not-archived", names: ["tea.pdf"] });
    expect(await archive.get("tea")).toBeNull();
    await sessions.archiveTo(archive, "tea", { withoutFiles: true });
    expect(await archive.get("tea")).toContain("tea.pdf");
  });

  test("a session as data", async () => {
    const store = openStore();
    const other = openStore();
    await store.sessions.create("Tea", { id: "tea" });
    await store.messages("tea").appendMessage(user("q1"));

    const exported = await store.sessions.export("tea");
    const text = sessionText(exported);
    await other.sessions.import(parseSessionText(text));

    expect(exported.messages).toMatchObject([{ id: "q1", parentId: null }]);
    expect(ids(await other.messages("tea").getHistory())).toEqual(["q1"]);
    expect(() => parseSessionText(text.slice(0, -20))).toThrow(ExportDamagedError);
  });
});

test("built in", async () => {
  const {
    S3_ENDPOINT: endpoint,
    S3_KEY: accessKeyId = "",
    S3_SECRET: secretAccessKey = "",
  } = {
    S3_ENDPOINT: "https://s3.example.com",
  } as Record<string, string | undefined>;
  const path = join(folder, "archive.db");

  const inFolder = folderArchive("/var/archives/ada");
  const inBucket = s3Archive({
    endpoint,
    bucket: "archives",
    prefix: "ada/",
    accessKeyId,
    secretAccessKey,
  });
  const inSqlite = sqliteArchive({ path, owner: "ada" });

  expect([inFolder, inBucket].map((archive) => typeof archive.put)).toEqual([
    "function",
    "function",
  ]);
  await inSqlite.put("tea", "text");
  expect(await inSqlite.get("tea")).toBe("text");
  await inSqlite.close();
});

test("recipes", async () => {
  const redis = new Redis({ lazyConnect: true });
  const mongo = new MongoClient("mongodb://localhost");
  const supabase = new PostgrestClient("https://project.example.com/rest/v1");
  const dynamo = new DynamoDB({ region: "eu-central-1" });

  const client = {
    sendCommand: ([name = "", ...values]: string[]) => redis.call(name, ...values),
  };
  const inRedis = redisArchive(client, { prefix: "archive:ada:" });

  const collection = mongo.db().collection<MongoArchiveDocument>("session_archive");
  const inMongo = mongoArchive(collection, { owner: "ada" });

  const inDynamo = dynamoArchive(dynamo, { table: "session_archive", owner: "ada" });

  const inSupabase = supabaseArchive(supabase, { owner: "ada" });

  for (const archive of [inRedis, inMongo, inDynamo, inSupabase])
    expect(typeof archive.list).toBe("function");
  redis.disconnect();
  await mongo.close();
  dynamo.destroy();
});

/** Keeps archived sessions until the process ends. */
function memoryArchive(): SessionArchive {
  const texts = new Map<string, { text: string; archivedAt: Date }>();
  return {
    put: async (sessionId, text) => {
      texts.set(sessionId, { text, archivedAt: new Date() });
    },
    get: async (sessionId) => texts.get(sessionId)?.text ?? null,
    delete: async (sessionId) => texts.delete(sessionId),
    async *list() {
      for (const [sessionId, { text, archivedAt }] of texts)
        yield { sessionId, archivedAt, bytes: Buffer.byteLength(text) };
    },
  };
}

describeArchive("memoryArchive", () => memoryArchive());
