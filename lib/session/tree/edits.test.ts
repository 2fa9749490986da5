import { describe, expect, test } from "vitest";
import { withDescendants } from "./edits";

const tree = [
  { id: "a", parentId: null },
  { id: "b", parentId: "a" },
  { id: "c", parentId: "a" },
  { id: "d", parentId: "b" },
  { id: "other", parentId: null },
];

describe("withDescendants", () => {
  test("takes everything under a message, at any depth", () => {
    expect(withDescendants(tree, ["a"])).toEqual(["a", "b", "c", "d"]);
  });

  test("leaves what is beside it", () => {
    expect(withDescendants(tree, ["b"])).toEqual(["b", "d"]);
  });

  test("names no message twice, and keeps ids it does not know", () => {
    expect(withDescendants(tree, ["d", "b", "unknown"])).toEqual(["d", "b", "unknown"]);
  });
});
