import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "@/lib/demo/demo-model";
import { generateTitle, tidyTitle } from "./generate-title";

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
