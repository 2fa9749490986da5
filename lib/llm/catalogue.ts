import type { ModelPrice } from "./model-info";

/** `price: null` where sources disagree or a change is announced. */
export type KnownModel = {
  readonly id: string;
  readonly label: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly price: ModelPrice | null;
  readonly reasoning: boolean;
};

export const pricesReadOn = "2026-11";

/** Dollars per million tokens: input, output, cache read, cache write. */
type PriceRow = readonly [number, number, number?, number?];

type CatalogueRow = readonly [string, string, number, number, PriceRow | null];

/** Five-minute cache writes. Read in November 2026 from https://platform.claude.com/docs and models.dev. */
const anthropicModels: readonly CatalogueRow[] = [
  ["claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000, [2, 10, 0.1, 2.5]],
  ["claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000, [4, 20, 0.2, 5]],
  ["claude-haiku-5-5", "Claude Haiku 5.5", 1_000_000, 128_000, [0.1, 0.5, 0.01, 0.125]],
  ["claude-fable-5-2", "Claude Fable 5.2", 1_000_000, 128_000, null],
  ["claude-fable-5-1", "Claude Fable 5.1", 1_000_000, 128_000, [10, 50, 1, 12.5]],
  ["claude-sonnet-5", "Claude Sonnet 5", 1_000_000, 128_000, [2, 10, 0.2, 2.5]],
  ["claude-opus-5", "Claude Opus 5", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-opus-4-8", "Claude Opus 4.8", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-opus-4-7", "Claude Opus 4.7", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-opus-4-6", "Claude Opus 4.6", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-4-6", "Claude Sonnet 4.6", 1_000_000, 64_000, [3, 15, 0.3, 3.75]],
  ["claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ["claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, [1, 5, 0.1, 1.25]],
];

/**
 * Prices for prompts up to 200,000 tokens, without launch prices. Read in November 2026 from
 * https://ai.google.dev/gemini-api/docs/pricing and models.dev.
 */
const googleModels: readonly CatalogueRow[] = [
  ["gemini-3.8-flash", "Gemini 3.8 Flash", 1_048_576, 65_536, null],
  ["gemini-4-argon", "Gemini 4 Argon", 1_048_576, 65_536, null],
  ["gemini-4-hydrogen", "Gemini 4 Hydrogen", 1_048_576, 65_536, [1.5, 7.5]],
  ["gemini-3.7-flash", "Gemini 3.7 Flash", 1_048_576, 65_536, null],
  ["gemini-3.6-flash", "Gemini 3.6 Flash", 1_048_576, 65_536, null],
  ["gemini-3.5-flash", "Gemini 3.5 Flash", 1_048_576, 65_536, [1.5, 9, 0.15]],
  ["gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite", 1_048_576, 65_536, [0.3, 2.5, 0.03]],
  ["gemini-3.1-pro-preview", "Gemini 3.1 Pro (preview)", 1_048_576, 65_536, [2, 12, 0.2]],
  ["gemini-2.5-pro", "Gemini 2.5 Pro", 1_048_576, 65_536, [1.25, 10, 0.125]],
  ["gemini-2.5-flash", "Gemini 2.5 Flash", 1_048_576, 65_536, [0.3, 2.5, 0.03]],
  ["gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", 1_048_576, 65_536, [0.1, 0.4, 0.01]],
];

/**
 * Prices up to 272,000 input tokens. Read in November 2026 from https://developers.openai.com/api/docs/pricing and
 * models.dev.
 */
const openaiModels: readonly CatalogueRow[] = [
  ["gpt-6.1-sol", "GPT-6.1 Sol", 1_050_000, 128_000, [2, 10, 0.1]],
  ["gpt-6.1-terra", "GPT-6.1 Terra", 1_050_000, 128_000, [1, 5, 0.05, 1.25]],
  ["gpt-6-luna", "GPT-6 Luna", 1_050_000, 128_000, [0.1, 0.5, 0.01, 0.125]],
  ["gpt-6-astra", "GPT-6 Astra", 1_050_000, 128_000, [10, 50, 1, 12.5]],
  ["gpt-6-sol", "GPT-6 Sol", 1_050_000, 128_000, [2, 10, 0.2, 2.5]],
  ["gpt-5.6-terra", "GPT-5.6 Terra", 1_050_000, 128_000, [2, 12, 0.2]],
  ["gpt-5.6-luna", "GPT-5.6 Luna", 1_050_000, 128_000, [0.2, 1.2, 0.02]],
  // Repriced more than once in 2026; sources disagree.
  ["gpt-5.6-sol", "GPT-5.6 Sol", 1_050_000, 128_000, null],
  ["gpt-5.5", "GPT-5.5", 1_050_000, 128_000, [5, 30, 0.5]],
  ["gpt-5.4", "GPT-5.4", 1_050_000, 128_000, [2.5, 15, 0.25]],
  ["gpt-5.4-mini", "GPT-5.4 mini", 400_000, 128_000, [0.75, 4.5, 0.075]],
  ["gpt-5.4-nano", "GPT-5.4 nano", 400_000, 128_000, [0.2, 1.25, 0.02]],
  ["gpt-5.2", "GPT-5.2", 400_000, 128_000, [1.75, 14, 0.175]],
  ["gpt-5.1", "GPT-5.1", 400_000, 128_000, [1.25, 10, 0.125]],
  ["gpt-5", "GPT-5", 400_000, 128_000, [1.25, 10, 0.125]],
  ["gpt-5-mini", "GPT-5 mini", 400_000, 128_000, [0.25, 2, 0.025]],
  ["gpt-5-nano", "GPT-5 nano", 400_000, 128_000, [0.05, 0.4, 0.005]],
  ["gpt-4.1", "GPT-4.1", 1_047_576, 32_768, [2, 8, 0.5]],
  ["gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, [0.4, 1.6, 0.1]],
  ["gpt-4.1-nano", "GPT-4.1 nano", 1_047_576, 32_768, [0.1, 0.4, 0.025]],
  ["gpt-4o", "GPT-4o", 128_000, 16_384, [2.5, 10, 1.25]],
  ["gpt-4o-mini", "GPT-4o mini", 128_000, 16_384, [0.15, 0.6, 0.075]],
  ["o3", "o3", 200_000, 100_000, [2, 8, 0.5]],
  ["o4-mini", "o4-mini", 200_000, 100_000, [1.1, 4.4, 0.275]],
];

const withoutReasoning: ReadonlySet<string> = new Set([
  "gpt-4.1",
  "gpt-4.1-mini",
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-mini",
]);

const models: Readonly<Record<string, readonly KnownModel[]>> = {
  anthropic: anthropicModels.map(modelOf),
  google: googleModels.map(modelOf),
  openai: openaiModels.map(modelOf),
};

export function knownModels(provider: string): readonly KnownModel[] {
  return models[provider] ?? [];
}

/** Matches dated ids as well (`gpt-5-2025-08-07`, `claude-haiku-4-5-20251001`). */
export function knownModel(provider: string, modelId: string): KnownModel | null {
  const undated = modelId.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const known = knownModels(provider);
  return known.find(({ id }) => id === modelId) ?? known.find(({ id }) => id === undated) ?? null;
}

function modelOf([id, label, contextWindow, maxOutput, price]: CatalogueRow): KnownModel {
  const reasoning = !withoutReasoning.has(id);
  return { id, label, contextWindow, maxOutput, price: price && priceOf(price), reasoning };
}

function priceOf([input, output, cacheRead, cacheWrite]: PriceRow): ModelPrice {
  return {
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cacheRead === undefined ? {} : { cacheReadPerMillion: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWritePerMillion: cacheWrite }),
  };
}
