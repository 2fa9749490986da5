import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { importUpload, removeLeftUploads } from "./import-upload";

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "grove-import-"));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const uploads = () => readdir(join(dataDir, "uploads"));

function upload(body: ReadableStream<Uint8Array>, spaceId: SpaceId, idleMs = 60_000) {
  return importUpload(body, {
    spaceId,
    databaseUrl: database.url,
    dataDir,
    signal: new AbortController().signal,
    limits: { bytes: 1_000_000, idleMs },
  });
}

const bodyOf = (content: string) => new Blob([content]).stream();

/** Begins a file and never goes on. */
const stalled = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"type":"grove-')),
  });

async function exported(): Promise<string> {
  const owner = newOwner(database.sql);
  const { id } = await owner.store.sessions.create("Tea");
  const parts = [{ type: "text", text: "Which kettle? 🫖\u2400" }];
  await owner.store.messages(id).appendMessage({ id: "q", role: "user", parts });
  return text(owner.data.export({ settings: [] }));
}

it("An upload is imported in a process of its own, and its file is removed", {
  tags: "long",
}, async () => {
  const file = await exported();
  const owner = newOwner(database.sql);
  const report = await upload(bodyOf(file), owner.spaceId);
  expect(report).toMatchObject({ sessions: { imported: 1 }, problemCount: 0 });
  expect((await owner.store.sessions.list()).sessions.map(({ name }) => name)).toEqual(["Tea"]);
  expect(await uploads()).toEqual([]);
});

it("A stalled upload ends after its time, stores nothing and keeps nobody waiting", {
  tags: "long",
}, async () => {
  const [file, owner] = [await exported(), newOwner(database.sql)];
  const slow = upload(stalled(), owner.spaceId, 2_000).catch((error: unknown) => error);
  expect(await upload(bodyOf(file), owner.spaceId)).toMatchObject({ sessions: { imported: 1 } });
  expect(await slow).toMatchObject({ status: 408, code: "too-slow" });
  expect(await uploads()).toEqual([]);
});

it("A file that is none of Grove's, and one too large, are refused with a sentence", {
  tags: "long",
}, async () => {
  const { spaceId } = newOwner(database.sql);
  await expect(upload(bodyOf("Dear diary"), spaceId)).rejects.toMatchObject({
    code: "invalid-import",
    message: "The line is not valid JSON.",
  });
  await expect(upload(bodyOf("a".repeat(1_000_001)), spaceId)).rejects.toMatchObject({
    status: 413,
  });
  await expect(upload(new Blob([Buffer.from([0xff])]).stream(), spaceId)).rejects.toMatchObject({
    status: 400,
    message: "The file is not UTF-8 text.",
  });
  expect(await uploads()).toEqual([]);
});

it("removes what a process that died left, and nothing of a running import", async () => {
  const folder = await mkdtemp(join(tmpdir(), "grove-left-"));
  await removeLeftUploads(folder);
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000);
  for (const name of ["import-left", "import-running"])
    await mkdir(join(folder, "uploads", name), { recursive: true });
  await utimes(join(folder, "uploads", "import-left"), yesterday, yesterday);
  await removeLeftUploads(folder);
  expect(await readdir(join(folder, "uploads"))).toEqual(["import-running"]);
  await rm(folder, { recursive: true });
});
