import { expect, test } from "vitest";
import { titlesFirst } from "./titles-first";

const titles = ["A balcony garden", "Tea"];

test.each(["tea", "A bal", "a balcony garden", " TEA "])("%j names a session", (query) => {
  expect(titlesFirst(query, titles)).toBe(true);
});

test.each([
  "garden",
  "balcony",
  '"tea"',
  "tea role:user",
  "tea -green",
  "a balcony garden in may",
  "",
])("%j is a search for text", (query) => {
  expect(titlesFirst(query, titles)).toBe(false);
});
