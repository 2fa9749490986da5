import { expect, test } from "vitest";
import { RecentMap } from "./recent-map";

test("a recent map keeps what was used last", () => {
  const map = new RecentMap<string, number>({ most: 2 });
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([...map.values()]).toEqual([1, 3]);
  expect(map.get("b")).toBeUndefined();
});
