import { describe, expect, it } from "vitest";
import { modelFacts, overrideErrors, overrideFormOf, withOverride } from "./model-facts";
import { modelWire } from "./testing/model-wire";

const model = modelWire("a/b", {
  contextWindow: 200_000,
  price: { inputPerMillion: 3, outputPerMillion: 15 },
});
const other = { ref: "x", contextWindow: 8_000, inputPerMillion: null, outputPerMillion: null };
const empty = overrideFormOf(undefined);

describe("modelFacts", () => {
  it("says what is known, and what is not", () => {
    expect(modelFacts(model)).toBe("200,000 tokens · $3 in, $15 out per million");
    expect(modelFacts({ ...model, price: null })).toBe("200,000 tokens · price unknown");
    expect(modelFacts({ ...model, price: null, isLocal: true })).toBe(
      "200,000 tokens · on this machine",
    );
  });
});

describe("withOverride", () => {
  it("replaces this model's figures and keeps the others", () => {
    const before = [other, { ...other, ref: "a/b" }];
    const form = { contextWindow: "128,000", inputPerMillion: "0.5", outputPerMillion: "" };
    expect(withOverride(before, "a/b", form)).toEqual([
      other,
      { ref: "a/b", contextWindow: 128_000, inputPerMillion: 0.5, outputPerMillion: null },
    ]);
  });

  it("drops an override that says nothing", () => {
    expect(withOverride([other], "x", empty)).toEqual([]);
  });
});

describe("overrideErrors", () => {
  it("accepts nothing, and figures that make sense", () => {
    expect(overrideErrors(empty)).toEqual({});
    expect(overrideErrors({ ...empty, contextWindow: "32 768" })).toEqual({});
  });

  it("names every field that does not", () => {
    expect(
      Object.keys(
        overrideErrors({ contextWindow: "12.5", inputPerMillion: "-1", outputPerMillion: "free" }),
      ),
    ).toEqual(["contextWindow", "inputPerMillion", "outputPerMillion"]);
  });
});
