import { describe, expect, it } from "vitest";
import { errorsIn } from "@/app/_data/forms/use-form";
import { modelWire } from "@/app/_data/testing/model-wire";
import {
  modelFacts,
  overrideFormOf,
  overrideIn,
  overrideSchema,
  refusedFacts,
} from "./model-facts";

const model = modelWire("a/b", {
  contextWindow: 200_000,
  price: { inputPerMillion: 3, outputPerMillion: 15 },
});
const empty = overrideFormOf(undefined);

describe("modelFacts", () => {
  it("says what is known", () => {
    expect(modelFacts(model)).toBe("200,000 tokens · $3 in, $15 out per million");
    expect(modelFacts({ ...model, price: null })).toBe("200,000 tokens");
    expect(modelFacts({ ...model, price: null, isWindowAssumed: true })).toBe("");
    expect(modelFacts({ ...model, price: null, isLocal: true })).toBe(
      "200,000 tokens · on this machine",
    );
  });
});

describe("refusedFacts", () => {
  it("names what the server refused, not what the person turned off", () => {
    expect(
      refusedFacts({
        features: [
          { feature: "tools", takes: false, by: "server", words: "no" },
          { feature: "images", takes: false, by: "person" },
        ],
      }),
    ).toEqual(["tools refused by its server"]);
  });
});

describe("overrideIn", () => {
  it("reads the figures", () => {
    const form = { contextWindow: "128,000", inputPerMillion: "0.5", outputPerMillion: "" };
    expect(overrideIn(form)).toEqual({
      contextWindow: 128_000,
      inputPerMillion: 0.5,
      outputPerMillion: null,
    });
  });

  it("is nothing where the form says nothing", () => {
    expect(overrideIn(empty)).toBeNull();
  });
});

describe("overrideSchema", () => {
  it("accepts nothing, and figures that make sense", () => {
    expect(errorsIn(overrideSchema, empty)).toEqual({});
    expect(errorsIn(overrideSchema, { ...empty, contextWindow: "32 768" })).toEqual({});
  });

  it("names every field that does not", () => {
    expect(
      Object.keys(
        errorsIn(overrideSchema, {
          contextWindow: "12.5",
          inputPerMillion: "-1",
          outputPerMillion: "free",
        }),
      ),
    ).toEqual(["contextWindow", "inputPerMillion", "outputPerMillion"]);
  });
});
