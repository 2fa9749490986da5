import { expect, test } from "vitest";
import { foundWords } from "./demo-found";

const hit = (title: string, who: string, text: string) => `[${title}, 2026-02-03, ${who}]\n${text}`;

test("says where each hit stands, and how many there are beyond three", () => {
  const hits = [
    hit("Fruit, ripe", "user", "I like\napples"),
    hit("Fruit", "summary", "Topic Apples"),
    "[Sowing calendar]\nMarch: apples",
    hit("Fruit", "assistant", "Apples it is."),
  ];
  expect(foundWords("apples", hits.join("\n\n"))).toBe(
    `This is what I found for “apples”:

- **Fruit, ripe**, you on February 3, 2026: I like apples
- **Fruit**, a summary of February 3, 2026: Topic Apples
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
