import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileStore } from "@/lib/chat/core/file-store";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import { PostgresFiles } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { fileResponse, takeUpload } from "./file-transfer";
import { ownerFiles } from "./owner-files";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-transfer-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function filesOfSomeone(maxBytes = 1_000): FileStore {
  const stored = new PostgresFiles(database.sql, crypto.randomUUID());
  return ownerFiles(stored, { folder, limits: { maxBytes } });
}

const address = "http://127.0.0.1/api/files";

function sending(body: BodyInit): Request {
  // `fetch` streams a body only with this; its types do not know it.
  const init = { method: "POST", body, duplex: "half" };
  return new Request(address, init);
}

describe("a stored file", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  const html = "<!doctype html><script>alert(1)</script>";
  const served: [string, Uint8Array, string, "inline" | "attachment"][] = [
    ["dot.png", redPixel, "image/png", "inline"],
    ["report.pdf", Buffer.from("%PDF-1.7\n"), "application/pdf", "inline"],
    ["drawing.svg", Buffer.from(svg), "application/octet-stream", "attachment"],
    ["page.html", Buffer.from(html), "application/octet-stream", "attachment"],
    ["page.png", Buffer.from(html), "application/octet-stream", "attachment"],
    ["notes.txt", Buffer.from("Apples"), "application/octet-stream", "attachment"],
  ];
  test.each(served)(
    "named %s is served as what it is",
    { tags: "long" },
    async (name, bytes, type, disposition) => {
      const files = filesOfSomeone();
      const { sha256 } = await takeUpload(files, sending(Uint8Array.from(bytes)), name);
      const response = await fileResponse(files, new Request(address), {
        sha256,
        name,
        hasAccounts: false,
      });
      // A document is read afterwards, in a process that the end of this test would leave behind.
      await files.whenRead([sha256]);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        "content-type": type,
        "content-length": String(bytes.length),
        "content-disposition": expect.stringMatching(new RegExp(`^${disposition};.*${name}`)),
        "x-content-type-options": "nosniff",
      });
      const policy = headers["content-security-policy"];
      expect(policy).toContain("default-src 'none'");
      if (type !== "application/pdf") expect(policy).toMatch(/sandbox$/);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
    },
  );

  test("is not sent again to a browser that has it", async () => {
    const files = filesOfSomeone();
    const { sha256 } = await takeUpload(files, sending("Apples"), "notes.txt");
    const headers = { "If-None-Match": `"${sha256}"` };
    const response = await fileResponse(files, new Request(address, { headers }), {
      sha256,
      name: "",
      hasAccounts: true,
    });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
  });

  test.each([
    [true, "private, no-cache, no-transform"],
    [false, "private, max-age=31536000, immutable, no-transform"],
  ])("with accounts (%s) is shown from a browser's cache as %s", async (hasAccounts, caching) => {
    const files = filesOfSomeone();
    const { sha256 } = await takeUpload(files, sending("Apples"), "notes.txt");
    const asked = { sha256, name: "", hasAccounts };
    const first = await fileResponse(files, new Request(address), asked);
    expect(first.headers.get("cache-control")).toBe(caching);
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    // The next person at that browser, whose cache holds the file.
    const next = fileResponse(filesOfSomeone(), new Request(address, { headers }), asked);
    await expect(next).rejects.toMatchObject({ code: "file-not-found" });
  });

  test("is there for its owner alone", async () => {
    const { sha256 } = await takeUpload(filesOfSomeone(), sending("Apples"), "notes.txt");
    await expect(
      fileResponse(filesOfSomeone(), new Request(address), { sha256, name: "", hasAccounts: true }),
    ).rejects.toMatchObject({ code: "file-not-found" });
  });
});

describe("an upload", () => {
  test("with a name of 5,000 characters is refused before a byte is read", async () => {
    const request = sending("Apples");
    await expect(takeUpload(filesOfSomeone(), request, "n".repeat(5_000))).rejects.toMatchObject({
      code: "bad-file-name",
    });
    expect(request.bodyUsed).toBe(false);
  });

  test("of 10 GB is refused once the limit is passed, and nothing of it stays", async () => {
    const chunk = new Uint8Array(1_000_000);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= 10_000_000_000) return controller.close();
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    });
    await expect(
      takeUpload(filesOfSomeone(2_500_000), sending(body), "large.bin"),
    ).rejects.toMatchObject({ code: "file-too-large" });
    expect(sent).toBeLessThan(10_000_000);
    expect(await readdir(folder)).toEqual([]);
  });

  test("that breaks off leaves nothing", async () => {
    let isFirst = true;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isFirst) controller.enqueue(Buffer.from("Half"));
        else controller.error(new Error("gone"));
        isFirst = false;
      },
    });
    await expect(takeUpload(filesOfSomeone(), sending(body), "half.txt")).rejects.toThrow("gone");
    expect(await readdir(folder)).toEqual([]);
  });
});
