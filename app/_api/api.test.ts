import { describe, expect, test, vi } from "vitest";
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
