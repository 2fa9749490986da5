import { expect, test } from "vitest";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry } from "./model-registry";
import { parameterRange } from "./parameter-range";
import { normalBaseUrl } from "./provider-kinds";
import {
  isPreset,
  type PresetId,
  presetFacts,
  presetOf,
  providerPresets,
} from "./provider-presets";

const ids = Object.keys(providerPresets).filter(isPreset);
const recognized = ids.filter((id) => presetFacts(id).host);

test.each(recognized)("recognizes %s by its address, and completes it without a path", (id) => {
  const { baseUrl } = presetFacts(id);
  const { origin } = new URL(baseUrl);
  expect([presetOf(baseUrl), presetOf(`${origin}/`)]).toEqual([id, id]);
  for (const typed of [origin, `${origin}/`, `${baseUrl}/chat/completions`])
    expect(normalBaseUrl(typed, "compatible").toLowerCase()).toBe(baseUrl.toLowerCase());
});

test.each<[string, PresetId | null]>([
  ["https://us.api.fireworks.ai/inference/v1", "fireworks"],
  ["https://api.together.xyz/v1", "together"],
  ["https://house.services.ai.azure.com/openai/v1", "azure"],
  ["http://gpu.lan:11434", "ollama"],
  ["https://openrouter.ai.example.com/api/v1", null],
  ["http://localhost:8000/v1", null],
  ["not an address", null],
])("takes %s for %s", (address, id) => {
  expect(presetOf(address)).toBe(id);
});

test("offers any name of a deployment at Azure, which lists only models", () => {
  const stored = (name: string, baseUrl: string) => ({ provider: "compatible", name, baseUrl });
  const providers = [
    stored("Work", "https://work.openai.azure.com"),
    stored("Groq", "https://api.groq.com"),
  ];
  const settings = { providers, overrides: {} };
  const registry = createModelRegistry({ environment: {}, settings, fallback: demoSource({}) });
  expect(registry.unlisted()).toEqual([{ provider: "compatible:work", providerLabel: "Work" }]);
});

test("sends no parameter that OpenAI's models at Azure refuse", () => {
  const rangeAt = (baseUrl: string, id: string) =>
    Object.keys(
      parameterRange({ kind: "compatible", baseUrl }, { id, reasoning: false, maxOutput: null }),
    );
  const azure = "https://work.openai.azure.com/openai/v1";
  expect(rangeAt(azure, "gpt-5-mini")).toEqual([]);
  expect(rangeAt(azure, "deepseek")).toEqual(["temperature", "maxOutputTokens"]);
  expect(rangeAt("https://openrouter.ai/api/v1", "gpt-5-mini")).toEqual([
    "temperature",
    "maxOutputTokens",
  ]);
});
