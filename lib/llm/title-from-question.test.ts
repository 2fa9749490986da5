import { expect, test } from "vitest";
import { titleFromQuestion } from "./title-from-question";

test.each([
  ["how do trees grow?", "How do trees grow"],
  ["Could you please explain forks? I am new.", "Explain forks"],
  ["Hello, please explain forks", "Explain forks"],
  ["# Plan\nthe week", "Plan the week"],
  ["hi!", "Hi"],
  ["", "New conversation"],
  ["   \n ", "New conversation"],
  ["木はどう育つ", "木はどう育つ"],
])("makes of %j the title %j", (question, title) => {
  expect(titleFromQuestion(question)).toBe(title);
});

test.each([
  [
    "Explain how trees share water through their roots, with a table and a little code.",
    "Explain how trees share water through their roots…",
  ],
  [
    "Write a letter to the landlord about the heating and the broken window in the hall",
    "Write a letter to the landlord about the heating…",
  ],
  [
    "What is the best way to carry a very large plant up to the third floor",
    "What is the best way to carry a very large plant up…",
  ],
  ["Suggest a name for a small bakery. I will ask again.", "Suggest a name for a small bakery"],
])("ends the title of %j where a thought ends: %j", (question, title) => {
  expect(titleFromQuestion(question)).toBe(title);
});

test("keeps a title within sixty characters", () => {
  expect([...titleFromQuestion("word ".repeat(100))].length).toBeLessThanOrEqual(60);
  expect([...titleFromQuestion("木".repeat(100))].length).toBeLessThanOrEqual(60);
});
