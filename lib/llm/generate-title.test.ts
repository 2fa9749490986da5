import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "@/lib/demo/demo-model";
import { generateTitle, tidyTitle, titleFromQuestion } from "./generate-title";

const exchange = { question: "How do trees branch?", answer: "They grow buds." };

function modelThat(doGenerate: MockLanguageModelV4["doGenerate"]): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doGenerate });
}

describe("generateTitle", () => {
  test("is made by the model", async () => {
    expect(await generateTitle({ model: createDemoModel(), ...exchange })).toBe(
      "How do trees branch",
    );
  });

  test("is made of the question when the model fails", async () => {
    const model = modelThat(async () => Promise.reject(new Error("no")));
    expect(await generateTitle({ model, ...exchange })).toBe("How do trees branch");
  });

  test("is made of the question when the model does not answer in time", async () => {
    const model = modelThat(({ abortSignal }) => {
      return new Promise((_, reject) => {
        abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
      });
    });
    expect(await generateTitle({ model, ...exchange, timeoutMs: 10 })).toBe("How do trees branch");
  });

  test("is made of the question when it is stopped", async () => {
    const signal = AbortSignal.abort();
    const model = createDemoModel();
    expect(await generateTitle({ model, ...exchange, signal })).toBe("How do trees branch");
  });
});

test.each([
  ['"Trees and Branches."', "Trees and Branches"],
  ["**Title: Trees**\nBecause…", "Trees"],
  ["# Trees", "Trees"],
  ["Trees' growth", "Trees' growth"],
  [" \n ", ""],
])("tidies the title %j to %j", (said, title) => {
  expect(tidyTitle(said)).toBe(title);
});

test("a title is never longer than sixty characters", () => {
  expect([...tidyTitle("branching ".repeat(20))].length).toBeLessThanOrEqual(60);
});

test.each([
  ["how do trees grow?", "How do trees grow"],
  ["Could you please explain forks? I am new.", "Explain forks"],
  ["Hello, please explain forks", "Explain forks"],
  ["# Plan\nthe week", "Plan the week"],
  ["Plan a [garden](http://x.y) with ![beds](b.png)", "Plan a garden with beds"],
  ["Explain list[0](arg)", "Explain list[0](arg)"],
  ["hi!", "Hi"],
  ["", "New conversation"],
  ["   \n ", "New conversation"],
  ["木はどう育つ", "木はどう育つ"],
  ["été à Paris", "Été à Paris"],
  ["it’s raining", "It’s raining"],
  ["well-known trees, by size", "Well-known trees, by size"],
  ["iPhone or Android", "iPhone or Android"],
  ["page.html shows nothing", "page.html shows nothing"],
  ["snake_case in names", "snake_case in names"],
  ["c++ or rust", "c++ or rust"],
  ["x=1 and y=2", "x=1 and y=2"],
  ["ls, then cd", "Ls, then cd"],
])("makes of %j the title %j", (question, title) => {
  expect(titleFromQuestion(question)).toBe(title);
});

test.each([
  [
    "Explain how trees trade water through their roots, with a table and a little code.",
    "Explain how trees trade water through their roots…",
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

test.each([
  ["Is C# faster than F#?", "Is C# faster than F#"],
  ["rename snake_case and other_names", "Rename snake_case and other_names"],
  ["if a > b and c < d", "If a > b and c < d"],
  ["A line with **marks**, and <b>tags</b>", "A line with marks, and <b>tags</b>"],
  ["compute 2 * 3 * 4", "Compute 2 * 3 * 4"],
  ["close issue #12 for me", "Close issue #12 for me"],
  ["## Plan\n> *quoted* words", "Plan quoted words"],
  ["* one\n* two", "One two"],
  ["run `npm test` and ***wait***", "Run npm test and wait"],
  ["what does __all__ do", "What does all do"],
])("takes marks of Markdown from %j and no other signs", (question, title) => {
  expect(titleFromQuestion(question)).toBe(title);
});

test("keeps a title within sixty characters", () => {
  expect([...titleFromQuestion("word ".repeat(100))].length).toBeLessThanOrEqual(60);
  expect([...titleFromQuestion("木".repeat(100))].length).toBeLessThanOrEqual(60);
});
