import { expect, test } from "vitest";
import { clip } from "./clip";

test.each([
  ["one line", "  one\n two ", 7, "one two"],
  ["the last whole word", "a conversation about trees", 20, "a conversation…"],
  ["anywhere without a word", "庭に植える木を選んでください", 8, "庭に植える木を…"],
  ["no emoji in two", "🌳🌳🌳🌳", 6, "🌳🌳…"],
  ["no flag in two", "🇫🇷🇩🇪🇮🇹", 8, "🇫🇷…"],
  ["an endless letter", `e${"\u0301".repeat(100)}`, 10, `e${"\u0301".repeat(8)}…`],
  ["an endless emoji", `🌳${"\u0301".repeat(100)}`, 2, "…"],
])("cuts %s", (_, text, maxChars, clipped) => {
  expect(clip(text, maxChars)).toBe(clipped);
});
