import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText, textProblem } from "./clean-text";

describe("cleaning", () => {
  it("shows control characters and broken surrogates instead of dropping them", () => {
    expect(cleanText("a\u0000b\u0007c\u007f\ud83c!")).toEqual({
      text: "a\u2400b\u2407c\u2421\ufffd!",
      replaced: 4,
    });
  });

  it("keeps tabs, line breaks and every whole character as they are", () => {
    const text = "one\ttwo\nthree 🌳 שלום\u200d";
    expect(cleanText(text)).toEqual({ text, replaced: 0 });
  });

  it("writes every line end the same way", () => {
    expect(cleanText("a\r\nb\rc").text).toBe("a\nb\nc");
  });

  it("always gives text that can be stored and that cleaning again leaves alone", {
    tags: "long",
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        const { text } = cleanText(raw);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toContain("\u0000");
        expect(cleanText(text)).toEqual({ text, replaced: 0 });
      }),
    );
  });
});

it("refuses text over 200,000 characters with a sentence", () => {
  expect(textProblem("x".repeat(200_000))).toBeNull();
  expect(textProblem("x".repeat(201_500))).toContain("1,500 too long");
});
