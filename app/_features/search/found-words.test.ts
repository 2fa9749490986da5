import { expect, test } from "vitest";
import { formsIn, placesOf } from "./found-words";

/** The words of `text` that are marked after a search that marked those in brackets. */
function marked(snippet: string, text: string): string[] {
  const parts = snippet.split(/[[\]]/);
  const starts = parts.map((_, at) => parts.slice(0, at).join("").length);
  const marks = parts.flatMap((part, at): [number, number][] => {
    const start = starts[at] ?? 0;
    return at % 2 === 1 ? [[start, start + part.length]] : [];
  });
  const forms = formsIn([{ text: parts.join(""), marks }]);
  return placesOf(forms, text).map(([start, end]) => text.slice(start, end));
}

test("marks the forms that the search found, and those with another ending", () => {
  expect(marked("my [garden] and [Gärten]", "Garden, gardens, GARTEN, gardeners, guard")).toEqual([
    "Garden",
    "gardens",
    "GARTEN",
    "gardeners",
  ]);
});

test("marks a short word alone", () => {
  expect(marked("[tea] time", "Tea, team, teas")).toEqual(["Tea"]);
});

test("marks letters with combining accents as a whole word", () => {
  expect(marked("[zurich]", "in Zu\u0308rich")).toEqual(["Zu\u0308rich"]);
});

test("marks signs, and words of scripts without spaces", () => {
  expect(marked("costs [€]", "3 € or €4")).toEqual(["€", "€"]);
  expect(marked("東京で[会議]が", "明日の会議です。会議")).toEqual(["会議", "会議"]);
});
