import { describe, expect, it } from "vitest";
import { apiPath, withQuery } from "./api";

describe("apiPath", () => {
  it("encodes what is inserted, so no id can reach another path", () => {
    expect(apiPath`/api/sessions/${"a/../b?c"}/tree`).toBe("/api/sessions/a%2F..%2Fb%3Fc/tree");
  });
});

describe("withQuery", () => {
  it("leaves out what is empty", () => {
    expect(withQuery("/api/search", { q: "", session: null, limit: undefined })).toBe(
      "/api/search",
    );
  });

  it("encodes what people type", () => {
    expect(withQuery("/api/search", { q: 'a & "b"', limit: 20 })).toBe(
      "/api/search?q=a+%26+%22b%22&limit=20",
    );
  });
});
