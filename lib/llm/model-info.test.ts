import { expect, test } from "vitest";
import { formatModelRef, parseModelRef } from "./model-info";

test("separates the provider at the first slash only", () => {
  expect(parseModelRef("compatible:groq/meta-llama/llama-4")).toEqual({
    provider: "compatible:groq",
    modelId: "meta-llama/llama-4",
  });
});

test.each(["", "openai", "/gpt-5", "openai/"])("is null for %j", (ref) => {
  expect(parseModelRef(ref)).toBeNull();
});

test("writes back what it read", () => {
  const ref = "local:ollama/qwen3:8b";
  const parsed = parseModelRef(ref);
  expect(parsed && formatModelRef(parsed)).toBe(ref);
});
