import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { api, pathOf } from "./api";

describe("pathOf", () => {
  test("encodes parameters, so no id can reach another path", () => {
    const request = { params: { sessionId: "a/../b?c" } };
    expect(pathOf("GET /api/sessions/:sessionId/tree", request)).toBe(
      "/api/sessions/a%2F..%2Fb%3Fc/tree",
    );
  });

  test("leaves empty values out of the query", () => {
    const query = { q: "", session: null, limit: undefined };
    expect(pathOf("GET /api/search", { query })).toBe("/api/search");
  });

  test("encodes typed text in the query", () => {
    expect(pathOf("GET /api/search", { query: { q: 'a & "b"', limit: 20 } })).toBe(
      "/api/search?q=a+%26+%22b%22&limit=20",
    );
  });
});

describe("a request of a page that is left", () => {
  const params = { promptId: "p" };
  const write = (text: string) =>
    api("PUT /api/prompts/:promptId", { params, body: { name: "a", text } });

  function holdFetch() {
    const kept: (boolean | undefined)[] = [];
    const ends: ((response: Response) => void)[] = [];
    vi.stubGlobal("fetch", (_path: string, { keepalive }: RequestInit) => {
      kept.push(keepalive);
      return new Promise((end) => ends.push(end));
    });
    const end = () => {
      for (const each of ends.splice(0)) each(Response.json({}));
    };
    return { kept, end };
  }

  test("goes on when it changes or deletes", async () => {
    const { kept, end } = holdFetch();
    const asked = [
      write("a"),
      api("PATCH /api/settings", { body: { memoryMode: "off" } }),
      api("DELETE /api/prompts/:promptId", { params }),
      api("GET /api/settings"),
      api("POST /api/sessions", { body: {} }),
    ];
    expect(kept).toEqual([true, true, true, undefined, undefined]);
    end();
    await Promise.all(asked);
  });

  test("ends where a browser would refuse it: above 60 KiB in UTF-8, or 60 requests, under way", async () => {
    const { kept, end } = holdFetch();
    const long = [write("é".repeat(20 * 1024)), write("a".repeat(20 * 1024)), write("a")];
    expect(kept).toEqual([true, undefined, true]);
    end();
    await Promise.all(long);

    const many = Array.from({ length: 100 }, () => write("a"));
    const stayed = kept.slice(3).filter(Boolean).length;
    expect(stayed).toBeGreaterThan(50);
    expect(stayed).toBeLessThan(61);
    end();
    await Promise.all(many);
  });
});

describe("a request whose answer did not arrive", () => {
  const names: (string | null)[] = [];
  const answers: (Response | Error)[] = [];

  beforeEach(() => {
    names.length = 0;
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      names.push(new Headers(init.headers).get("idempotency-key"));
      const answer = answers.shift() ?? Response.json({});
      if (answer instanceof Error) throw answer;
      return answer;
    });
  });

  const create = (title: string) => api("POST /api/sessions", { body: { title } });
  const failed = (title: string) => create(title).catch(({ code }) => code);
  const error = (status: number, code: string) =>
    Response.json({ error: { code, message: "No." } }, { status });

  test.each([
    ["without a connection", new TypeError("Failed to fetch")],
    ["from a proxy that gave up", new Response("Bad gateway", { status: 502 })],
    ["while the first is still being answered", error(409, "request-running")],
  ])("is sent under the same name when it is asked for again, %s", async (_, answer) => {
    answers.push(answer);
    await failed("a");
    await create("a");
    await create("a");
    expect(names[0]).toMatch(/^[\da-f-]{36}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  });

  test("has a new name a minute later, when the person means another one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    answers.push(new TypeError("Failed to fetch"));
    await failed("a");
    vi.setSystemTime(Date.now() + 61_000);
    await create("a");
    expect(names[1]).not.toBe(names[0]);
  });

  test("has a name of its own when it was refused, or asks for something else", async () => {
    answers.push(error(409, "session-exists"), new TypeError("Failed to fetch"));
    await failed("a");
    await failed("a");
    await create("b");
    expect(new Set(names).size).toBe(3);
  });

  test("has no name when it only reads or writes", async () => {
    await api("GET /api/settings");
    await api("PATCH /api/settings", { body: { memoryMode: "off" } });
    expect(names).toEqual([null, null]);
  });
});
