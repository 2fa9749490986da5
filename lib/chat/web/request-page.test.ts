import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { requestPage } from "./request-page";
import { type FakeWeb, fakeWeb } from "./testing/fake-web";

const publicAddress = "93.184.215.14";
const other = "1.1.1.1";

let web: FakeWeb | undefined;
afterEach(() => web?.close());

async function given(
  pages: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>,
  addresses: Parameters<typeof fakeWeb>[1] = { "tea.example": [[publicAddress]] },
): Promise<FakeWeb> {
  web = await fakeWeb((request, response) => {
    const page = pages[request.url ?? ""];
    if (page) page(response, request);
    else response.writeHead(404).end();
  }, addresses);
  return web;
}

const html = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
const redirect = (location: string) => (response: ServerResponse) =>
  response.writeHead(302, { location }).end();

describe("a page of the web", () => {
  test("is read from the address its name was checked with, without cookies", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const { network, dialled } = await given({
      "/a?b=c": (response, request) => {
        seen.push(request.headers);
        html("<p>Hello</p>")(response);
      },
    });
    const page = await requestPage("http://tea.example/a?b=c#part", { network });
    expect(page).toEqual({
      url: "http://tea.example/a?b=c",
      mediaType: "text/html",
      text: "<p>Hello</p>",
    });
    expect(dialled).toEqual([publicAddress]);
    expect(seen[0]).toMatchObject({ host: "tea.example" });
    expect(seen[0]).not.toHaveProperty("cookie");
    expect(seen[0]).not.toHaveProperty("referer");
  });

  test.each([
    ["http://10.0.0.1/"],
    ["http://127.0.0.1:3000/api/export"],
    ["http://2130706433/"],
    ["http://0x7f.1/"],
    ["http://[::1]/"],
    ["http://[::ffff:127.0.0.1]/"],
    ["http://169.254.169.254/latest/meta-data/"],
    ["http://inside.example/"],
    ["http://mixed.example/"],
  ])("at %s is not asked for", async (address) => {
    const { network, dialled } = await given(
      {},
      {
        "inside.example": [["192.168.1.1"]],
        "mixed.example": [[publicAddress, "127.0.0.1"]],
      },
    );
    await expect(requestPage(address, { network })).rejects.toThrow(
      "is not on the public internet",
    );
    expect(dialled).toEqual([]);
  });

  test("is not followed to an address that is not public", async () => {
    const { network, dialled } = await given(
      { "/": redirect("http://inside.example/"), "/ip": redirect("http://127.0.0.1/") },
      { "tea.example": [[publicAddress]], "inside.example": [["10.0.0.1"]] },
    );
    await expect(requestPage("http://tea.example/", { network })).rejects.toThrow(
      "inside.example is not",
    );
    await expect(requestPage("http://tea.example/ip", { network })).rejects.toThrow(
      "127.0.0.1 is not",
    );
    expect(dialled).toEqual([publicAddress, publicAddress]);
  });

  test("cannot change its address between the check and the connection", async () => {
    const { network, dialled, resolved } = await given(
      { "/": html("once"), "/again": redirect("/") },
      { "tea.example": [[publicAddress], ["127.0.0.1"]] },
    );
    expect((await requestPage("http://tea.example/", { network })).text).toBe("once");
    expect([resolved.length, dialled]).toEqual([1, [publicAddress]]);
    await expect(requestPage("http://tea.example/", { network })).rejects.toThrow(
      "public internet",
    );
    expect(dialled).toHaveLength(1);
  });

  test("is checked again when a redirect stays with its name", async () => {
    const { network, dialled } = await given(
      { "/again": redirect("/"), "/": html("secret") },
      { "tea.example": [[publicAddress], ["10.0.0.1"]] },
    );
    await expect(requestPage("http://tea.example/again", { network })).rejects.toThrow(
      "public internet",
    );
    expect(dialled).toEqual([publicAddress]);
  });

  test("is read after up to five redirects, with its last address", async () => {
    const { network } = await given(
      {
        "/0": redirect("http://two.example/1"),
        "/1": html("found"),
        "/loop": redirect("/loop"),
      },
      { "tea.example": [[publicAddress]], "two.example": [[other]] },
    );
    expect((await requestPage("http://tea.example/0", { network })).url).toBe(
      "http://two.example/1",
    );
    await expect(requestPage("http://tea.example/loop", { network })).rejects.toThrow(
      "redirects more than 5 times",
    );
  });

  test.each([
    "file:///etc/passwd",
    "ftp://tea.example/",
    "javascript:alert(1)",
    "tea",
    "http://me:word@tea.example/",
  ])("is not read from %s", async (address) => {
    const { network, dialled } = await given({});
    await expect(requestPage(address, { network })).rejects.toThrow();
    expect(dialled).toEqual([]);
  });

  test("is refused when it is too large, also once unpacked", async () => {
    const { network } = await given({
      "/large": html("x".repeat(2_000)),
      "/packed": (response) =>
        response
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync("x".repeat(1_000_000))),
      "/fits": (response) =>
        response
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync("x".repeat(1_000))),
    });
    const options = { network, maxBytes: 1_000 };
    for (const path of ["large", "packed"]) {
      const reading = requestPage(`http://tea.example/${path}`, options);
      await expect(reading).rejects.toThrow("is larger than 0.001 MB");
    }
    expect((await requestPage("http://tea.example/fits", options)).text).toHaveLength(1_000);
  });

  test("is refused when it is no text, fails, or breaks off", async () => {
    const { network } = await given({
      "/image": (response) => response.writeHead(200, { "content-type": "image/png" }).end("x"),
      "/fails": (response) => response.writeHead(500).end(),
      "/breaks": (response) => {
        response
          .writeHead(200, { "content-type": "text/html", "content-length": "100" })
          .write("x");
        response.destroy();
      },
    });
    const read = (path: string) => requestPage(`http://tea.example/${path}`, { network });
    await expect(read("image")).rejects.toThrow("is image/png, which cannot be read");
    await expect(read("fails")).rejects.toThrow("tea.example answered 500.");
    await expect(read("breaks")).rejects.toThrow("tea.example cannot be reached.");
    await expect(requestPage("http://none.example/", { network })).rejects.toThrow(
      "has no address",
    );
  });

  test("ends when its time is over, and when the answer is stopped", async () => {
    const { network } = await given({ "/slow": (response) => response.writeHead(200).write("x") });
    const slow = requestPage("http://tea.example/slow", { network, timeoutMs: 50 });
    await expect(slow).rejects.toThrow("did not answer within 0.05 seconds");
    const silent = { ...network, resolve: () => new Promise<never>(() => undefined) };
    const lookup = requestPage("http://tea.example/", { network: silent, timeoutMs: 50 });
    await expect(lookup).rejects.toThrow("did not answer within 0.05 seconds");
    const stopping = new AbortController();
    const stopped = requestPage("http://tea.example/slow", { network, signal: stopping.signal });
    stopping.abort();
    await expect(stopped).rejects.toThrow();
  });

  test("is decoded by the charset it names", async () => {
    const { network } = await given({
      "/header": (response) =>
        response
          .writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" })
          .end(Buffer.from("Grün", "latin1")),
      "/meta": (response) =>
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(Buffer.from('<meta charset="windows-1252">Grün', "latin1")),
    });
    for (const path of ["header", "meta"]) {
      const page = await requestPage(`http://tea.example/${path}`, { network });
      expect(page.text).toContain("Grün");
    }
  });
});
