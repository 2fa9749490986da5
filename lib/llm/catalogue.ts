import { anthropicModels } from "./catalogue-anthropic";
import type { KnownModel } from "./catalogue-entry";
import { googleModels } from "./catalogue-google";
import { openaiModels } from "./catalogue-openai";

const models: Readonly<Record<string, readonly KnownModel[]>> = {
  anthropic: anthropicModels,
  google: googleModels,
  openai: openaiModels,
};

/**
 * The models of a provider that Grove knows without asking, the one to start with first.
 *
 * @returns an empty list for a provider it knows nothing about.
 */
export function knownModels(provider: string): readonly KnownModel[] {
  return models[provider] ?? [];
}

/**
 * What Grove knows of one model.
 *
 * A dated id (`gpt-5-2025-08-07`, `claude-haiku-4-5-20251001`) is known by its undated name.
 */
export function knownModel(provider: string, modelId: string): KnownModel | null {
  const undated = modelId.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const known = knownModels(provider);
  return known.find(({ id }) => id === modelId) ?? known.find(({ id }) => id === undated) ?? null;
}
