import { describe, expect, test } from "vitest";
import { rowSnippet } from "./tree-row-line";

function marked(text: string, word: string) {
  const from = text.indexOf(word);
  const snippet = rowSnippet({ text, marks: [[from, from + word.length]] });
  const [[start, end]] = snippet.marks as [[number, number]];
  return { text: snippet.text, mark: snippet.text.slice(start, end) };
}

describe("rowSnippet", () => {
  test("leaves what is found at the start as it is", () => {
    expect(marked("Green tea is fine", "tea")).toEqual({ text: "Green tea is fine", mark: "tea" });
  });

  test("begins shortly before the first word found, at a word, and the mark moves along", () => {
    expect(marked("A long way to go before the tea", "tea")).toEqual({
      text: "…before the tea",
      mark: "tea",
    });
    expect(marked("aaaaaaaaaaaaaaaaaaaaaaaatea", "tea")).toEqual({
      text: "…aaaaaaaaaaaatea",
      mark: "tea",
    });
  });
});
