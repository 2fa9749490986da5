import { expect, test } from "vitest";
import { isAtHit, nextHit, searchCursor, startCursor } from "./search-cursor";

const hits = ["one", "two", "one"].map((sessionId, at) => ({
  id: `m${at}`,
  sessionId,
  place: "active" as const,
  snippet: { text: "", marks: [] },
}));
const from = "/settings?section=data";

test("goes around the ends", () => {
  expect([0, 1, 2].map((at) => nextHit({ hits, at }, 1))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((at) => nextHit({ hits, at }, -1))).toEqual([2, 0, 1]);
});

test("lasts on the page it began on and in every session with a hit", () => {
  const pages = ["/settings", "/s/one", "/s/two", "/s/three", "/"];
  expect(pages.filter((page) => isAtHit({ hits, from }, page))).toEqual([
    "/settings",
    "/s/one",
    "/s/two",
  ]);
});

test("a walk begun within another one leads back to where that one began", () => {
  startCursor({ hits, at: 0, from });
  startCursor({ hits, at: 1, from: "/s/one" });
  expect(searchCursor.read()).toEqual({ hits, at: 1, from });
  searchCursor.update(() => null);
  expect(searchCursor.read()).toBeNull();
});
