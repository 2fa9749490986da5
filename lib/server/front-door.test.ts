import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reader } from "@/lib/chat/wire/reader";
import { clientAddress, closeFrontDoor, headRefusal, isForwardingIgnored } from "./front-door";

const shared = globalThis as { groveReader?: { getStore(): Reader | undefined } };

const passed = createServer((_, response) =>
  response.end(`passed ${shared.groveReader?.getStore()?.forms.decimal}`),
).on("upgrade", (_, socket) => socket.end("upgraded"));
let host = "";

beforeAll(async () => {
  closeFrontDoor({ allowsUpgrades: false });
  passed.listen(0, "127.0.0.1");
  await once(passed, "listening");
  const { port } = passed.address() as AddressInfo;
  process.env.PORT = String(port);
  host = `127.0.0.1:${port}`;
});

afterAll(() => {
  passed.closeAllConnections();
  passed.close();
});

/** The whole response to one request as written here. */
async function answer(line: string, headers: Record<string, string> = {}): Promise<string> {
  const socket = connect(Number(process.env.PORT), "127.0.0.1");
  const lines = Object.entries({ host, connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write([line, ...lines, "", ""].join("\r\n"));
  return text(socket);
}

describe("an answer before the end of a body", () => {
  it("closes its connection, so that no request waits behind the rest", async () => {
    const server = createServer((request, response) => {
      request.once("data", () => {
        request.pause();
        response.writeHead(413, { "Content-Type": "text/plain" }).end("too large");
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const ended = text(socket);
    socket.write(
      `POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(100)}`,
    );
    expect(await ended).toMatch(/413[\s\S]*connection: close[\s\S]*too large/i);
    server.close();
  });

  it("keeps the connection of a request that was read", async () => {
    const server = createServer((request, response) => {
      request.resume().once("end", () => response.end("passed"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`POST /api HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1\r\n\r\nx`);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(String(first)).toMatch(/connection: keep-alive/i);
    expect(String(first)).toContain("passed");
    socket.destroy();
    server.close();
  });
});

describe("The front door", () => {
  it("lets a request pass that Next can read", async () => {
    expect(await answer("GET /s/a%20b?x=%E0%A4%A HTTP/1.1")).toContain("passed");
  });

  it.each([
    ["TRACE /api/health HTTP/1.1", 405],
    ["TRACE / HTTP/1.1", 405],
    ["PROPFIND / HTTP/1.1", 405],
    ["OPTIONS /api/sessions HTTP/1.1", 405],
    ["GET /s/%E0%A4%A HTTP/1.1", 400],
    ["GET /% HTTP/1.1", 400],
    ["GET /api/sessions/%ff HTTP/1.1", 400],
    ["GET http://169.254.169.254/ HTTP/1.1", 400],
    ["OPTIONS * HTTP/1.1", 400],
  ])("answers %j with a sentence and %i", async (line, status) => {
    const response = await answer(line);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response).toContain('{"error":{"code":');
    expect(response.toLowerCase()).toContain("x-content-type-options: nosniff");
  });

  it("says of oversized cookies what to do, and serves the next request", async () => {
    const response = await answer("GET / HTTP/1.1", { cookie: `a=${"x".repeat(20_000)}` });
    expect(response).toMatch(/^HTTP\/1.1 431 /);
    expect(response).toContain("Delete the cookies of this address");
    expect(await answer("GET / HTTP/1.1")).toContain("passed .");
    expect(await answer("GET / HTTP/1.1", { "accept-language": "de" })).toContain("passed ,");
  });

  it("closes a WebSocket", async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const response = await answer("GET /_next/webpack-hmr HTTP/1.1", upgrade);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toContain("Grove has no WebSockets.");
  });

  it("tells another site nothing but that it is one", async () => {
    expect(await answer("TRACE / HTTP/1.1", { host: "evil.example" })).toMatch(/^HTTP\/1.1 403 /);
    const foreign = { origin: "http://evil.example" };
    expect(await answer("OPTIONS /api/sessions HTTP/1.1", foreign)).toMatch(/^HTTP\/1.1 403 /);
    expect(await answer("GET /% HTTP/1.1", foreign)).toMatch(/^HTTP\/1.1 403 /);
  });
});

it("A development server keeps its WebSockets", () => {
  const head = { method: "GET", target: "/_next/webpack-hmr", headers: { host: "localhost:3000" } };
  expect(headRefusal(head, { port: 3000, isUpgrade: false })).toBeNull();
});

describe("The address of a client", () => {
  const of = (forwarded: string | undefined, trustedProxies: number) =>
    clientAddress({
      remoteAddress: "10.0.0.9",
      headers: { "x-forwarded-for": forwarded },
      trustedProxies,
    });

  it("is that of the connection, unless proxies are trusted, whatever the client writes", () => {
    expect(of("1.2.3.4", 0)).toBe("10.0.0.9");
    expect(of(undefined, 1)).toBe("10.0.0.9");
    expect(of("1.2.3.4, 5.6.7.8", 1)).toBe("5.6.7.8");
    expect(of("1.2.3.4, 5.6.7.8, 10.0.0.1", 2)).toBe("5.6.7.8");
    expect(of("<script>", 1)).toBe("10.0.0.9");
  });

  it.each([
    [{ "x-forwarded-for": "1.2.3.4" }, 0, true],
    [{ forwarded: "for=1.2.3.4" }, 0, true],
    [{ "x-real-ip": "1.2.3.4" }, 0, true],
    [{ "x-forwarded-for": "1.2.3.4" }, 1, false],
    [{}, 0, false],
  ])(
    "of a proxy's header %j with %i trusted proxies is ignored: %s",
    (headers, trustedProxies, ignored) => {
      const origin = "https://grove.test";
      expect(isForwardingIgnored(headers, { trustedProxies, origin })).toBe(ignored);
      expect(isForwardingIgnored(headers, { trustedProxies, origin: null })).toBe(false);
    },
  );
});
