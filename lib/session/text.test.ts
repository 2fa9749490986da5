import { describe, expect, test } from "vitest";
import { clip } from "./text";

describe("clip", () => {
  test("keeps the beginning that fits, on one line", () => {
    expect(clip("  one\n two ", 7)).toBe("one two");
  });

  test.each([
    ["a conversation about trees", 20, "a conversation…"],
    ["a conversation about trees", 15, "a conversation…"],
    ["إذا هطل المطر غدا فسنبقى في البيت", 20, "إذا هطل المطر غدا…"],
  ])("cuts at a word and says that something is missing: %j at %i", (text, maxChars, clipped) => {
    expect(clip(text, maxChars)).toBe(clipped);
  });

  test.each([
    ["https://example.org/a/long/address", 20, "https://example.org…"],
    ["庭に植える木を選んでください", 8, "庭に植える木を…"],
  ])("cuts anywhere where no word ends near: %j at %i", (text, maxChars, clipped) => {
    expect(clip(text, maxChars)).toBe(clipped);
  });

  test.each([
    ["an emoji", "🌳🌳🌳🌳", 6, "🌳🌳…"],
    ["a family", "Hi👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 16, "Hi👩‍👩‍👧‍👦…"],
    ["a flag", "🇫🇷🇩🇪🇮🇹", 8, "🇫🇷…"],
    ["a letter and its accent", "cafe\u0301s", 5, "caf…"],
  ])("never cuts %s in two", (_, text, maxChars, clipped) => {
    expect(clip(text, maxChars)).toBe(clipped);
  });

  test("cuts an endless grapheme between its code points", () => {
    expect(clip(`e${"\u0301".repeat(100)}`, 10)).toBe(`e${"\u0301".repeat(8)}…`);
  });

  test.each([1, 2, 7, 40])("is never longer than %i", (maxChars) => {
    const text = "Words 👩‍👩‍👧‍👦 and emoji 🇫🇷 in a sentence of some length";
    expect(clip(text, maxChars).length).toBeLessThanOrEqual(maxChars);
  });
});
