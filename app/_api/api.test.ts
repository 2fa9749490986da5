import { describe, expect, test } from "vitest";
import { pathOf } from "./api";

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
