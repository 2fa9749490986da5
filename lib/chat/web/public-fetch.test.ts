import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { publicFetch } from "./public-fetch";
import { type FakeWeb, fakeWeb } from "./testing/fake-web";

const publicAddress = "93.184.215.14";
let web: FakeWeb | undefined;
afterEach(() => web?.close());

async function given(
  listener: Parameters<typeof fakeWeb>[0],
  addresses: Parameters<typeof fakeWeb>[1] = { "model.example": [[publicAddress]] },
): Promise<typeof fetch> {
  web = await fakeWeb(listener, addresses);
  return publicFetch(web.network);
}

test("a name that becomes private is refused at the next request, before anything is sent", async () => {
  let asked = 0;
  const fetch = await given(
    (_, response) => {
      asked++;
      response.end("hello");
    },
    { "model.example": [[publicAddress], ["10.0.0.1"]] },
  );
  expect(await (await fetch("http://model.example/v1")).text()).toBe("hello");
  await expect(fetch("http://model.example/v1")).rejects.toThrow("not on the public internet");
  expect([asked, web?.dialled]).toEqual([1, [publicAddress]]);
});

test("sends the method, headers and body, and answers with status and headers", async () => {
  const fetch = await given(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { authorization, host, "content-length": length } = request.headers;
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ body, authorization, host, length, method: request.method }));
  });
  const response = await fetch("http://model.example/v1/chat", {
    method: "POST",
    headers: { authorization: "Bearer k" },
    body: JSON.stringify({ q: "å" }),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    201,
    "application/json",
  ]);
  expect(await response.json()).toEqual({
    method: "POST",
    host: "model.example",
    authorization: "Bearer k",
    length: "10",
    body: '{"q":"å"}',
  });
});

test("hands out a stream as it comes, and leaves it when asked to", async () => {
  const left = Promise.withResolvers<void>();
  const fetch = await given((_, response) => {
    response.write("first");
    response.on("close", () => left.resolve());
  });
  const stop = new AbortController();
  const response = await fetch("http://model.example/", { signal: stop.signal });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  stop.abort();
  await expect(reader?.read()).rejects.toThrow();
  await left.promise;
});

test("unpacks what is packed anyway", async () => {
  const fetch = await given((_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed")),
  );
  expect(await (await fetch("http://model.example/")).text()).toBe("packed");
});

test("follows no redirect", async () => {
  const fetch = await given((_, response) =>
    response.writeHead(302, { location: "http://127.0.0.1/" }).end(),
  );
  await expect(fetch("http://model.example/", { redirect: "error" })).rejects.toThrow(
    "fetch failed",
  );
  const { status } = await fetch("http://model.example/", { redirect: "manual" });
  expect(status).toBe(302);
});
