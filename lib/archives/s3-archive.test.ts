import { afterAll, beforeAll, expect, test } from "vitest";
import { S3Server, testCredentials } from "../s3/testing/s3-server";
import { describeArchive } from "../session/testing";
import { archiveName } from "./archive-name";
import { s3Archive } from "./s3-archive";
import { unreadable } from "./testing/unreadable";

let server: S3Server;

beforeAll(async () => {
  server = await S3Server.start("archives");
});
afterAll(() => server.stop());

const settings = () => ({
  endpoint: server.endpoint,
  bucket: server.bucket,
  ...testCredentials,
});

describeArchive("s3Archive", (owner) => s3Archive({ ...settings(), prefix: `${owner}/` }), {
  makeBroken: () => s3Archive({ ...settings(), endpoint: "http://127.0.0.1:9", timeoutMs: 2_000 }),
});

test("a bucket of thousands of sessions is listed whole", async () => {
  const archive = s3Archive({ ...settings(), prefix: "many/" });
  for (let n = 0; n < 2_345; n++) server.put(`many/s${n}.jsonl`, "x");
  server.put("many/notes.txt", "x");
  let count = 0;
  for await (const { sessionId } of archive.list()) {
    expect(sessionId).toMatch(/^s\d+$/);
    count++;
  }
  expect(count).toBe(2_345);
});

test.each(unreadable)("an object whose id cannot be read, as %j, is left out", async (line) => {
  const prefix = `${crypto.randomUUID()}/`;
  const archive = s3Archive({ ...settings(), prefix });
  await archive.put("tea", "text");
  server.put(prefix + archiveName("x".repeat(200)), Buffer.from(`{}\n${line}\n`, "latin1"));
  const ids = [];
  for await (const { sessionId } of archive.list()) ids.push(sessionId);
  expect(ids).toEqual(["tea"]);
});

test("an error names the bucket and holds no secret", async () => {
  const wrong = s3Archive({ ...settings(), secretAccessKey: "CANARY" });
  const error: Error = await wrong.put("tea", "text").then(
    () => new Error("It was written."),
    (caught: Error) => caught,
  );
  expect(error.name).toBe("ArchiveFailedError");
  expect(error.message).toMatch(/^Bucket “archives” at 127\.0\.0\.1:\d+ refused the credentials/);
  expect(JSON.stringify([error.message, error.cause])).not.toContain("CANARY");
});

test("a bucket that stops halfway is an error, not a shorter text", { tags: "long" }, async () => {
  const archive = s3Archive({ ...settings(), timeoutMs: 1_000 });
  await archive.put("half", "x".repeat(100_000));
  server.behaviour = "stall";
  await expect(archive.get("half")).rejects.toThrow("did not answer within 1 s");
  server.behaviour = "normal";
});

test("an invalid endpoint is refused at once", () => {
  expect(() => s3Archive({ ...settings(), endpoint: "ftp://x" })).toThrow(
    "The endpoint of the bucket must be an http or https address.",
  );
});
