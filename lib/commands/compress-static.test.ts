import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staticFiles } from "@/lib/server/static-files";
import { compressStatic } from "./compress-static";

const script = `export const list = [${"1, 2, 3, ".repeat(500)}];`;
const server = createServer();
let root = "";
let port = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "grove-static-"));
  await mkdir(join(root, "chunks"));
  await writeFile(join(root, "chunks", "a~b[1].js"), script);
  await writeFile(join(root, "chunks", "tiny.js"), "1");
  await writeFile(join(root, "letters.woff2"), script);
  await writeFile(join(root, "a.css"), script);
  await compressStatic(root);
  expect((await readdir(root, { recursive: true })).sort()).toEqual([
    "a.css",
    "chunks",
    "chunks/a~b[1].js",
    "chunks/a~b[1].js.br",
    "chunks/a~b[1].js.gz",
    "chunks/tiny.js",
    "letters.woff2",
  ]);
  const send = staticFiles(root);
  server.on("request", (asked, response) => {
    if (!send(asked, response)) response.writeHead(404).end("Next");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.close();
  await rm(root, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const asked = request({ port, path, method, headers, agent: false }).end();
  const [response] = await once(asked, "response");
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, body: await buffer(response) };
}

const path = "/_next/static/chunks/a~b%5B1%5D.js?v=1";

describe("a built file", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["br", "br", brotliDecompressSync],
    ["gzip, br;q=0", "gzip", gunzipSync],
    ["GZIP;q=0.5", "gzip", gunzipSync],
  ])("comes for %j in %s, as it was built", async (accepted, coding, decode) => {
    const { status, headers, body } = await ask(path, { "accept-encoding": accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-encoding": coding,
      "content-type": "application/javascript; charset=UTF-8",
      "content-length": String(body.length),
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; script-src 'self'",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    expect(decode(body).toString()).toBe(script);
  });

  it("has no body for HEAD, and none when the browser has it", async () => {
    const accepted = { "accept-encoding": "br" };
    const head = await ask(path, accepted, "HEAD");
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const known = await ask(path, { ...accepted, "if-none-match": head.headers.etag });
    expect([known.status, known.body.length]).toEqual([304, 0]);
  });

  it.each([
    [
      "no coding is known to both",
      path,
      "deflate, identity",
      script,
      "application/javascript; charset=UTF-8",
    ],
    [
      "it does not get smaller",
      "/_next/static/chunks/tiny.js",
      "br",
      "1",
      "application/javascript; charset=UTF-8",
    ],
    ["its kind is compressed already", "/_next/static/letters.woff2", "br", script, "font/woff2"],
  ])("comes as it is where %s", async (_, asked, accepted, content, type) => {
    const { status, headers, body } = await ask(asked, { "accept-encoding": accepted });
    expect([status, body.toString()]).toEqual([200, content]);
    expect(headers).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(headers).not.toHaveProperty("content-encoding");
  });

  it.each([
    ["asked for by its compressed name", "/_next/static/chunks/a~b%5B1%5D.js.br", "br"],
    ["of styles", "/_next/static/a.css", "br"],
    ["that is a folder", "/_next/static/chunks", "br"],
    ["that is none", "/_next/static/chunks/none.js", "br"],
    ["outside the folder", "/_next/static/../../package.js", "br"],
    ["outside the folder, encoded", "/_next/static/%2e%2e%2fchunks%2ftiny.js", "br"],
    ["of an address that has it elsewhere", "/chunks/a~b%5B1%5D.js", "br"],
  ])("is Next's to answer: one %s", async (_, asked, accepted) => {
    const { status, body } = await ask(asked, { "accept-encoding": accepted });
    expect([status, body.toString()]).toEqual([404, "Next"]);
  });

  it("is only sent to readers", async () => {
    expect((await ask(path, { "accept-encoding": "br" }, "POST")).body.toString()).toBe("Next");
  });
});
