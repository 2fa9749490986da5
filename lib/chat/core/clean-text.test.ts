import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText } from "./clean-text";

describe("cleanText", () => {
  test("shows U+0000 as its symbol and half characters as U+FFFD", () => {
    expect(cleanText("a\u0000b\ud800")).toBe("a␀b\ufffd");
    expect(cleanText("\udc00x\ud83c")).toBe("\ufffdx\ufffd");
  });

  test("goes through objects and lists, and leaves everything else", () => {
    expect(cleanText({ list: ["\u0000", 1, null], nested: { text: "\ud800", on: true } })).toEqual({
      list: ["␀", 1, null],
      nested: { text: "\ufffd", on: true },
    });
  });

  test("leaves every well-formed text without U+0000 as it is, and no other text unstorable", {
    tags: "long",
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const cleaned = cleanText(text);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleaned).not.toContain("\u0000");
        if (text.isWellFormed() && !text.includes("\u0000")) expect(cleaned).toBe(text);
        expect(cleaned).toHaveLength(text.length);
      }),
    );
  });
});
