import { expect, it } from "vitest";
import { parameterWords, readTemperature, readTokens, unsent } from "./parameter-form";

it("reads numbers as people write them, and says what is wrong", () => {
  expect(readTokens("4,096", null)).toEqual({ value: 4_096, problem: null });
  expect(readTokens("", 100)).toEqual({ value: undefined, problem: null });
  expect(readTokens("0", 100).problem).toBe("Enter a whole number of at least 1.");
  expect(readTokens("101", 100).problem).toBe("Enter at most 100.");
  expect(readTemperature("0,7", 2)).toEqual({ value: 0.7, problem: null });
  expect(readTemperature("warm", 2).problem).toBe("Enter a number from 0 to 2.");
});

it("names what a model is not sent", () => {
  const set = { temperature: 1.5, verbosity: "low", maxOutputTokens: 10 } as const;
  expect(unsent(set, { temperature: { max: 1 }, maxOutputTokens: { max: null } })).toEqual([
    "verbosity",
    "temperature",
  ]);
});

it("names values as the panel does", () => {
  expect(parameterWords({ reasoning: "xhigh", maxOutputTokens: 2_000 })).toEqual([
    ["Reasoning effort", "Extra high"],
    ["Output limit", "2,000 tokens"],
  ]);
});
