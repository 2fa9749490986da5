import { describe, expect, it } from "vitest";
import { markedText } from "./marked-words";

const shown = (text: string, marks: [number, number][]) =>
  markedText(text, marks)
    .map((stretch) => (stretch.isMarked ? `[${stretch.text}]` : stretch.text))
    .join("");

describe("markedText", () => {
  it("marks what the search found and keeps the rest", () => {
    expect(
      shown("a fern and a moss", [
        [2, 6],
        [13, 17],
      ]),
    ).toBe("a [fern] and a [moss]");
  });

  it("keeps the whole text whatever the marks say", () => {
    const broken: [number, number][] = [
      [3, 99],
      [0, 4],
      [7, 2],
      [-5, 1],
    ];
    expect(
      markedText("abcdef", broken)
        .map(({ text }) => text)
        .join(""),
    ).toBe("abcdef");
  });

  it("is nothing for no text", () => {
    expect(markedText("", [[0, 1]])).toEqual([]);
  });
});
