import { describe, expect, it } from "vitest";
import { parametersNamedIn, parametersWithin } from "./model-parameters";
import { parameterRange, parameterSettings } from "./parameter-range";
import { providerKinds } from "./provider-kinds";

const anthropic = { kind: "anthropic", baseUrl: providerKinds.anthropic.baseUrl } as const;
const openai = { kind: "openai", baseUrl: providerKinds.openai.baseUrl } as const;
const compatible = { kind: "compatible", baseUrl: "http://localhost/v1" } as const;
const model = (id: string) => ({ id, reasoning: true, maxOutput: 64_000 });
const namesOf = (range: object) => Object.keys(range).sort();

describe("parameterRange", () => {
  it("gives models that refuse sampling no temperature", () => {
    expect(namesOf(parameterRange(anthropic, model("claude-opus-5-5")))).toEqual([
      "caching",
      "maxOutputTokens",
      "reasoning",
    ]);
    expect(parameterRange(anthropic, model("claude-sonnet-4-6")).temperature?.max).toBe(1);
    expect(parameterRange(openai, model("gpt-6.1-sol")).temperature).toBeUndefined();
    expect(parameterRange(openai, model("gpt-4.1")).temperature?.max).toBe(2);
  });

  it("offers to turn reasoning off only where a model can", () => {
    expect(parameterRange(anthropic, model("claude-sonnet-5")).reasoning).toContain("none");
    expect(parameterRange(anthropic, model("claude-sonnet-5-5")).reasoning).not.toContain("none");
    expect(parameterRange(anthropic, model("claude-haiku-4-5-20251001")).reasoning).toContain(
      "none",
    );
    expect(parameterRange(openai, model("gpt-5")).reasoning).toContain("minimal");
  });

  it("caches on request at Anthropic's own address only", () => {
    const proxy = { ...anthropic, baseUrl: "https://proxy.example/v1" };
    expect(parameterRange(proxy, model("claude-opus-5")).caching).toBeUndefined();
  });

  it("believes a server that lists its parameters", () => {
    const supported = ["max_tokens", "reasoning"];
    const range = parameterRange(compatible, { ...model("open/one"), supported });
    expect(namesOf(range)).toEqual(["maxOutputTokens", "reasoning"]);
  });
});

describe("parametersWithin", () => {
  it("leaves out what the model does not have or take", () => {
    const range = parameterRange(anthropic, model("claude-sonnet-4-6"));
    const given = { temperature: 1.5, verbosity: "low", maxOutputTokens: 1_000 } as const;
    expect(parametersWithin(given, range)).toEqual({ maxOutputTokens: 1_000 });
  });

  it("leaves out a temperature that a reasoning effort excludes", () => {
    const range = parameterRange(anthropic, model("claude-sonnet-4-6"));
    const warm = { temperature: 0.5 };
    expect(parametersWithin({ ...warm, reasoning: "high" }, range)).toEqual({ reasoning: "high" });
    const unreasoned = { ...warm, reasoning: "none" } as const;
    expect(parametersWithin(unreasoned, range)).toEqual(unreasoned);
  });
});

describe("parameterSettings", () => {
  it("names a parameter as its provider does", () => {
    const parameters = parameterRange(openai, model("gpt-5.1"));
    const given = { verbosity: "low", reasoning: "high", caching: "24h" } as const;
    expect(parameterSettings(given, { parameters })).toEqual({
      sent: given,
      settings: { reasoning: "high" },
      providerOptions: {
        openai: { textVerbosity: "low", promptCacheRetention: "24h" },
        openaiCompatible: { textVerbosity: "low" },
      },
    });
  });
});

describe("parametersNamedIn", () => {
  it("finds those that were sent and that the refusal names", () => {
    const sent = { temperature: 1, maxOutputTokens: 5 };
    expect(parametersNamedIn("Unsupported value: 'temperature'", sent)).toEqual(["temperature"]);
    expect(parametersNamedIn("max_completion_tokens is too large", sent)).toEqual([
      "maxOutputTokens",
    ]);
    expect(parametersNamedIn("Verbosity is unknown", sent)).toEqual([]);
  });
});
