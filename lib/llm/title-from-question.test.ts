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

test("keeps a title within sixty characters", () => {
  expect([...titleFromQuestion("word ".repeat(100))].length).toBeLessThanOrEqual(60);
});
