import { describe, expect, test } from "vitest";
import { Seam } from "./seam";

function joined(kept: string, next: string, options = { repeats: true }): string {
  const seam = new Seam(kept, options);
  const shown = [...next].map((letter) => seam.push(letter)).join("");
  return kept + shown + seam.end();
}

describe("a text that goes on", () => {
  test.each([
    ["with the next word", "The kettle is", " on.", "The kettle is on."],
    ["without a space between", "The kettle is", "on.", "The kettle is on."],
    ["after a space", "The kettle is ", " on.", "The kettle is on."],
    [
      "with its last words again",
      "The kettle is on",
      "kettle is on, at last.",
      "The kettle is on, at last.",
    ],
    [
      "with its last words after dots",
      "The kettle is on",
      "…kettle is on, at last.",
      "The kettle is on, at last.",
    ],
    [
      "within a word it repeats",
      "The kettle is beau",
      "kettle is beautiful.",
      "The kettle is beautiful.",
    ],
    ["with all of it again", "The kettle", "The kettle is on.", "The kettle is on."],
    [
      "with a row begun",
      "| a | b |\n|---|---|\n| 1 |",
      "| 1 | 2 |",
      "| a | b |\n|---|---|\n| 1 | 2 |",
    ],
    ["after a line", "One.\n\n", "\nTwo.", "One.\n\nTwo."],
    ["with dots only", "The kettle is", "... on.", "The kettle is on."],
    ["in code", "```js\nfoo.", "bar()", "```js\nfoo.bar()"],
    ["in Chinese", "水壶在", "炉子上", "水壶在炉子上"],
    ["with a short word that ends it, too", "He said no", "no one", "He said no no one"],
    ["with nothing new", "The kettle is on.", "The kettle is on.", "The kettle is on."],
  ])("%s", (_, kept, next, whole) => {
    expect(joined(kept, next)).toBe(whole);
  });

  test("is left alone where the model wrote on its own text", () => {
    const options = { repeats: false };
    expect(joined("beau", "tiful. beau", options)).toBe("beautiful. beau");
    expect(joined("One. ", " Two.", options)).toBe("One. Two.");
  });

  test("is shown as soon as it cannot be a repetition", () => {
    const seam = new Seam("The kettle is on", { repeats: true });
    expect(seam.push("kettle is")).toBe("");
    expect(seam.push(" on and")).toBe(" and");
    expect(seam.push(" hot")).toBe(" hot");
  });
});
