import { expect, test } from "vitest";
import { foundWords } from "./demo-tool-answer";

const hit = (title: string, who: string, text: string) => `[${title}, 2026-02-03, ${who}]\n${text}`;

test("says the best hit of each place, and how many places there are beyond three", () => {
  const hits = [
    hit("Fruit, ripe", "user", "I like\napples"),
    hit("Fruit, ripe", "assistant", "Apples it is."),
    hit("Lists", "summary", "Topic Apples"),
    "[Sowing calendar]\nMarch: apples",
    hit("Pears", "assistant", "Not apples."),
  ];
  expect(foundWords("apples", hits.join("\n\n"))).toBe(
    `This is what I found for “apples”:

- **Fruit, ripe**, you on February 3, 2026: I like apples
- **Lists**, a summary of February 3, 2026: Topic Apples
- **Sowing calendar**: March: apples

There is one more place.`,
  );
});

test("quotes what it cannot read, and says when there is nothing", () => {
  expect(foundWords("apples", "Ann: I like apples.")).toBe(
    "This is what I found for “apples”:\n\n> Ann: I like apples.",
  );
  expect(foundWords("apples", "No results found.")).toBe(
    "I searched for “apples” and found nothing.",
  );
});
