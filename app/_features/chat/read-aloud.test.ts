import { expect, it } from "vitest";
import { bestVoice, spokenPieces } from "./read-aloud";

it("speaks words, not marks, code or addresses", () => {
  const text =
    "# Oak\n\nA **tall** tree, see [the page](https://a.example). It is `old`!\n\n```js\nlet a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two";
  expect(spokenPieces(text)).toEqual([
    "Oak",
    "A tall tree, see the page.",
    "It is old!",
    "a b",
    "1 2",
    "one",
    "two",
  ]);
});

it("cuts long sentences at a space, and loses no word", () => {
  const text = "word ".repeat(200).trim();
  const pieces = spokenPieces(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(220);
  expect(pieces.join(" ")).toBe(text);
});

it("speaks nothing of an answer that is only code, closed or not", () => {
  expect(spokenPieces("```js\nlet a;\n```")).toEqual([]);
  expect(spokenPieces("```js\nlet a;")).toEqual([]);
});

it("takes the device's preferred voice of the language, else any", () => {
  const voice = (lang: string, isDefault = false) => ({ lang, default: isDefault });
  const [german, british, american] = [voice("de-DE", true), voice("en-GB"), voice("en-US", true)];
  expect(bestVoice([german, british, american], "en")).toBe(american);
  expect(bestVoice([german, british], "en")).toBe(british);
  expect(bestVoice([german], "en")).toBe(german);
  expect(bestVoice([], "en")).toBeNull();
});
