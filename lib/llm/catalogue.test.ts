import { describe, expect, test } from "vitest";
import { knownModel, knownModels } from "./catalogue";

const everyModel = ["anthropic", "google", "openai"].flatMap((provider) => [
  ...knownModels(provider),
]);

describe("the catalogue", () => {
  test("names every model once", () => {
    const ids = everyModel.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("never lets a model write more than its window holds", () => {
    expect(everyModel.filter((model) => model.maxOutput >= model.contextWindow)).toEqual([]);
  });

  test("never prices output below input, nor a cache read above it", () => {
    const odd = everyModel.filter(
      ({ price }) =>
        price !== null &&
        (price.outputPerMillion < price.inputPerMillion ||
          (price.cacheReadPerMillion ?? 0) > price.inputPerMillion),
    );
    expect(odd).toEqual([]);
  });

  test("knows a dated id by its undated name", () => {
    expect(knownModel("anthropic", "claude-haiku-4-5-20251001")?.label).toBe("Claude Haiku 4.5");
    expect(knownModel("openai", "gpt-5-2025-08-07")?.label).toBe("GPT-5");
  });

  test("returns nothing for an unknown model or provider", () => {
    expect(knownModel("openai", "gpt-99")).toBeNull();
    expect(knownModel("compatible:groq", "gpt-5")).toBeNull();
  });
});
