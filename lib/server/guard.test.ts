import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { factsOf, guard, type RequestFacts } from "./guard";

const port = 3000;
const hosts = ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"];

describe("the host", () => {
  test.each(hosts)("%s passes", (host) => {
    expect(guard(get({ host }), { port })).toBe("allow");
  });

  test.each([
    null,
    "",
    "localhost",
    "localhost:3001",
    "localhost:03000",
    "localhost:3000:3000",
    "localhost.:3000",
    "localhost.evil.example:3000",
    "evil.example:3000",
    "evil.example",
    "127.0.0.1.evil.example:3000",
    "127.0.0.2:3000",
    "127.1:3000",
    "2130706433:3000",
    "0x7f000001:3000",
    "0.0.0.0:3000",
    "::1:3000",
    "[::ffff:127.0.0.1]:3000",
    "me@localhost:3000",
    "localhost:3000@evil.example",
    "localhost:3000,evil.example",
    "localhost:3000 ",
    "http://localhost:3000",
    "[::1]",
    "192.168.1.20:3000",
  ])("%j is refused with 403", (host) => {
    expect(guard(get({ host }), { port })).toMatchObject({ status: 403, code: "forbidden-host" });
  });

  test("is one of three exact strings, whatever the port", () => {
    const port = fc.integer({ min: 1, max: 65_535 });
    const piece = fc.constantFrom(
      "localhost",
      "127.0.0.1",
      "[::1]",
      ".",
      ":",
      "@",
      "evil",
      "3000",
      "%",
      " ",
    );
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.array(piece).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(host, port, fc.boolean(), (name, number, bare) => {
        const given = bare ? name : `${name}:${number}`;
        const own = ["localhost", "127.0.0.1", "[::1]"].map((local) => `${local}:${number}`);
        const expected = own.includes(given.toLowerCase());
        expect(guard(get({ host: given }), { port: number }) === "allow").toBe(
          expected || (number === 80 && own.includes(`${given.toLowerCase()}:80`)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test("leaves out port 80, as browsers do", () => {
    expect(guard(get({ host: "localhost" }), { port: 80 })).toBe("allow");
  });
});

describe("a request that changes something", () => {
  test("passes as JSON from our own page, or from a program", () => {
    expect(guard(post({}), { port })).toBe("allow");
    expect(guard(post({ origin: null, fetchSite: null }), { port })).toBe("allow");
    expect(guard(post({ contentType: "application/json; charset=utf-8" }), { port })).toBe("allow");
  });

  test.each([
    null,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonp",
    "text/plain; application/json",
  ])("is refused with 415 as %j", (contentType) => {
    expect(guard(post({ contentType }), { port })).toMatchObject({ status: 415 });
  });

  test.each([
    "null",
    "http://evil.example",
    "http://localhost:3001",
    "https://localhost:3000",
    "http://localhost:3000.evil.example",
    "http://127.0.0.1:3000",
  ])("is refused with 403 from the origin %s", (origin) => {
    expect(guard(post({ origin }), { port })).toMatchObject({ status: 403, code: "cross-site" });
  });

  test.each(["cross-site", "same-site", "anything"])(
    "is refused with 403 when fetched %s",
    (fetchSite) => {
      expect(guard(post({ origin: null, fetchSite }), { port })).toMatchObject({ status: 403 });
    },
  );

  test.each(["POST", "PUT", "PATCH", "DELETE", "TRACE", "post"])("is any %s", (method) => {
    expect(guard(post({ method, contentType: "text/plain" }), { port })).toMatchObject({
      status: 415,
    });
  });

  test("may be larger where a file is taken, as the type of that file alone", () => {
    const upload = { path: "/api/import", contentLength: "2000000000" };
    expect(guard(post({ ...upload, contentType: "application/x-ndjson" }), { port })).toBe("allow");
    expect(guard(post(upload), { port })).toMatchObject({ status: 415 });
    expect(
      guard(
        post({ ...upload, contentType: "application/x-ndjson", origin: "http://evil.example" }),
        { port },
      ),
    ).toMatchObject({ status: 403 });
  });

  test("may be a form of this site at the address of a shared page alone", () => {
    const form = { path: "/shared/a", contentType: "application/x-www-form-urlencoded" };
    expect(guard(post(form), { port })).toBe("allow");
    for (const path of ["/shared/a/copy", "/api/shares/copies", "/shared/"])
      expect(guard(post({ ...form, path }), { port })).toMatchObject({ status: 415 });
    expect(guard(post({ ...form, fetchSite: "cross-site" }), { port })).toMatchObject({
      status: 403,
    });
    expect(guard(post({ ...form, origin: "null" }), { port })).toMatchObject({ status: 403 });
  });

  test("is refused with 413 when it declares more than 1 MB", () => {
    expect(guard(post({ contentLength: "1000000" }), { port })).toBe("allow");
    expect(guard(post({ contentLength: "1000001" }), { port })).toMatchObject({ status: 413 });
  });
});

describe("a request that only reads", () => {
  test("may follow a link from elsewhere to a page", () => {
    expect(guard(get({ path: "/s/1", fetchSite: "cross-site" }), { port })).toBe("allow");
  });

  test("may not read the API from elsewhere", () => {
    expect(guard(get({ path: "/api/sessions", fetchSite: "cross-site" }), { port })).toMatchObject({
      status: 403,
    });
    expect(
      guard(get({ path: "/api/sessions", origin: "http://evil.example" }), { port }),
    ).toMatchObject({ status: 403 });
    expect(guard(get({ path: "/api/sessions", fetchSite: "same-origin" }), { port })).toBe("allow");
  });
});

test("facts are read off a request", () => {
  const request = new Request("http://localhost:3000/api/x?y=1", {
    method: "POST",
    headers: { host: "localhost:3000", "content-type": "application/json", "content-length": "2" },
    body: "{}",
  });
  expect(factsOf(request)).toEqual({
    method: "POST",
    path: "/api/x",
    host: "localhost:3000",
    origin: null,
    fetchSite: null,
    contentType: "application/json",
    contentLength: "2",
  });
});

function get(facts: Partial<RequestFacts>): RequestFacts {
  return {
    method: "GET",
    path: "/",
    host: "localhost:3000",
    origin: null,
    fetchSite: null,
    contentType: null,
    contentLength: null,
    ...facts,
  };
}

function post(facts: Partial<RequestFacts>): RequestFacts {
  return get({
    method: "POST",
    path: "/api/sessions",
    origin: "http://localhost:3000",
    fetchSite: "same-origin",
    contentType: "application/json",
    contentLength: "2",
    ...facts,
  });
}

describe("with accounts", () => {
  const site = { port, origin: "https://grove.example" };
  const facts = { host: "grove.example", path: "/api/sessions", fetchSite: null };

  test("the one name is that of the address, and health answers to numbers, too", () => {
    expect(guard(get(facts), site)).toBe("allow");
    expect(guard(get({ ...facts, host: "GROVE.example" }), site)).toBe("allow");
    for (const host of ["localhost:3000", "127.0.0.1:3000", "grove.example:3000", "evil.example"])
      expect(guard(get({ ...facts, host }), site)).toMatchObject({ code: "forbidden-host" });
    for (const host of ["127.0.0.1:3000", "10.0.0.7", "[::1]:3000"])
      expect(guard(get({ host, path: "/api/health" }), site)).toBe("allow");
    expect(guard(get({ host: "evil.example", path: "/api/health" }), site)).toMatchObject({
      code: "forbidden-host",
    });
  });

  test("only its own origin may write, with its scheme", () => {
    const write = { ...facts, method: "POST", contentType: "application/json" };
    expect(guard(get({ ...write, origin: "https://grove.example" }), site)).toBe("allow");
    for (const origin of ["http://grove.example", "https://evil.example", "null"])
      expect(guard(get({ ...write, origin }), site)).toMatchObject({ code: "cross-site" });
  });
});
