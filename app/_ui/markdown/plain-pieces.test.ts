import { describe, expect, it } from "vitest";
import { linesOf } from "./lines-of";
import { splitPieces } from "./plain-pieces";

const heavy: Record<string, string> = {
  "one line": "**a**".repeat(20_000),
  "one line of characters that are two": "😀".repeat(30_000),
  words: "some *words* ".repeat(8_000),
  "a table": `|a|b|\n|-|-|\n${"|x|y|\n".repeat(15_000)}`,
};

describe.each(Object.entries(heavy))("100 KB of %s", (_, text) => {
  const pieces = splitPieces(`${text}\n\nAnd the end.`);

  it("keeps every character", () => {
    expect(pieces.map((piece) => piece.text).join("")).toBe(`${text}\n\nAnd the end.`);
    expect(pieces.every((piece) => piece.text.isWellFormed())).toBe(true);
  });

  it("is shown as it is, a little at a time", () => {
    const plain = pieces.filter(({ isPlain }) => isPlain);
    expect(plain.length).toBeGreaterThan(15);
    expect(Math.max(...plain.map((piece) => piece.text.length))).toBeLessThanOrEqual(4_000);
  });
});

it("cuts between lines where there are any", () => {
  const pieces = splitPieces(heavy["a table"] ?? "");
  expect(pieces.every(({ text }) => text.endsWith("\n"))).toBe(true);
});

it("leaves what can be formatted, and code however long, in one piece", () => {
  const code = `\`\`\`js\n${"const a = 1;\n".repeat(3_000)}\`\`\`\n`;
  expect(splitPieces(`Some *words*.\n\n${code}`)).toEqual([
    { text: "Some *words*.\n\n", isPlain: false },
    { text: code, isPlain: false },
  ]);
});

it("guesses how many lines a text fills", () => {
  expect(linesOf("one\n\nthree\n\n")).toBe(3);
  expect(linesOf("word ".repeat(170))).toBe(10);
});
