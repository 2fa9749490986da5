import { expect, it } from "vitest";
import { distanceFrom, lastSections } from "./sliced-markdown";

const view = { top: 100, bottom: 200 };

it("measures how far something is from the view, on either side", () => {
  expect(distanceFrom(view, { top: 0, bottom: 70 })).toBe(30);
  expect(distanceFrom(view, { top: 250, bottom: 300 })).toBe(50);
  expect(distanceFrom(view, { top: 150, bottom: 300 })).toBe(0);
});

it("formats first what fills the view, and no more than a slow processor can", () => {
  const sections = Array.from({ length: 9 }, () => ({ text: "word ".repeat(400), blocks: [] }));
  expect(lastSections(sections, 800)).toEqual([8, 7]);
  expect(lastSections(sections, 10_000)).toEqual([8, 7, 6, 5, 4, 3]);
  expect(lastSections(sections.slice(0, 1), 0)).toEqual([0]);
});
