import { expect, test } from "vitest";
import { clip } from "./clip";

test("keeps what fits, on one line", () => {
  expect(clip("  one\n two ", 7)).toBe("one two");
});

test("cuts at a word and says that something is missing", () => {
  expect(clip("a conversation about trees", 20)).toBe("a conversation…");
});

test("cuts one long word anywhere, but never an emoji in two", () => {
  expect(clip("🌳🌳🌳🌳", 3)).toBe("🌳🌳…");
});
