import { expect, test } from "vitest";
import { hitWalkStore, isOnWalk, nextHit } from "./hit-walk";

const hits = ["one", "two", "one"].map((sessionId, at) => ({
  id: `m${at}`,
  sessionId,
  place: "active" as const,
}));
const from = "/settings?section=data";

test("goes around the ends", () => {
  expect([0, 1, 2].map((at) => nextHit({ hits, at }, 1))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((at) => nextHit({ hits, at }, -1))).toEqual([2, 0, 1]);
});

test("lasts on the page it began on and in every session with a hit", () => {
  const pages = ["/settings", "/s/one", "/s/two", "/s/three", "/"];
  expect(pages.filter((page) => isOnWalk({ hits, from }, page))).toEqual([
    "/settings",
    "/s/one",
    "/s/two",
  ]);
});

test("a walk begun within another one leads back to where that one began", () => {
  hitWalkStore.begin({ hits, at: 0, from });
  hitWalkStore.begin({ hits, at: 1, from: "/s/one" });
  expect(hitWalkStore.read()).toEqual({ hits, at: 1, from });
  hitWalkStore.end();
  expect(hitWalkStore.read()).toBeNull();
});
