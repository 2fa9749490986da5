import { z } from "zod";
import { fetchJson } from "./fetch-json";
import type { ModelCapabilities, ModelPrice } from "./model-info";
import type { ModelProvider } from "./model-provider";

/** Absent fields are unknown. */
export type ListedModel = {
  readonly id: string;
  readonly label?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
};

/** Lists chat models. @throws when the provider does not answer, refuses the key, or answers something else. */
export async function listModels(
  provider: ModelProvider,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number },
): Promise<ListedModel[]> {
  return chatModelsOnly(await listAll(provider, options), provider.kind === "openai");
}

function listAll(
  { kind, baseUrl, apiKey }: ModelProvider,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number },
): Promise<ListedModel[]> {
  switch (kind) {
    case "anthropic":
      return fetchJson(`${baseUrl}/models?limit=1000`, anthropicModelListSchema, {
        ...options,
        headers: { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" },
      });
    case "google":
      return fetchJson(`${baseUrl}/models?pageSize=1000`, googleModelListSchema, {
        ...options,
        headers: { "x-goog-api-key": apiKey ?? "" },
      });
    case "openai":
    case "compatible":
    case "local":
      return fetchJson(`${baseUrl}/models`, openaiModelListSchema, {
        ...options,
        headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      });
  }
}

// These cannot chat. In open models "instruct" means chat; in OpenAI's the opposite.
const anywhere = /embed|rerank|whisper|\btts\b|dall-e|moderation/i;
const atOpenAI =
  /image|audio|realtime|transcribe|translate|instruct|babbage|davinci|sora|-live|search-preview|computer-use|deep-research/i;

export function chatModelsOnly(models: readonly ListedModel[], isOpenAI: boolean): ListedModel[] {
  return models.filter(({ id }) => !anywhere.test(id) && !(isOpenAI && atOpenAI.test(id)));
}

export const anthropicModelListSchema = z
  .object({
    data: z.array(z.object({ id: z.string().min(1), display_name: z.string().optional() })),
  })
  .transform(({ data }): ListedModel[] =>
    data.map(({ id, display_name }) => ({ id, label: display_name })),
  );

const tokens = z.number().int().positive().optional().catch(undefined);
const dollarsPerToken = z.coerce.number().nonnegative();

// OpenAI-compatible, with extensions: `context_length` and `pricing` OpenRouter, `context_window` Groq, `max_model_len`
// vLLM, `meta.n_ctx` llama.cpp.
const openaiListSchema = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string().min(1).optional().catch(undefined),
      context_length: tokens,
      context_window: tokens,
      max_model_len: tokens,
      meta: z.object({ n_ctx: tokens }).optional().catch(undefined),
      pricing: z
        .object({ prompt: dollarsPerToken, completion: dollarsPerToken })
        .optional()
        .catch(undefined),
    }),
  ),
});

export const openaiModelListSchema = openaiListSchema.transform(({ data }): ListedModel[] =>
  data.map((model) => ({
    id: model.id,
    label: model.name,
    contextWindow:
      model.context_length ?? model.context_window ?? model.max_model_len ?? model.meta?.n_ctx,
    price: priceOf(model.pricing),
  })),
);

function priceOf(pricing?: { prompt: number; completion: number }): ModelPrice | undefined {
  if (pricing === undefined) return undefined;
  return {
    inputPerMillion: pricing.prompt * 1_000_000,
    outputPerMillion: pricing.completion * 1_000_000,
  };
}

const googleListSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      displayName: z.string().optional(),
      inputTokenLimit: tokens,
      outputTokenLimit: tokens,
      supportedGenerationMethods: z.array(z.string()).default([]),
    }),
  ),
});

const otherPurposes = /image|tts|audio|robotics|computer-use|nano-banana|live/;

export const googleModelListSchema = googleListSchema.transform(({ models }): ListedModel[] =>
  models
    .filter(
      ({ name, supportedGenerationMethods }) =>
        supportedGenerationMethods.includes("generateContent") && !otherPurposes.test(name),
    )
    .map((model) => ({
      id: model.name.replace(/^models\//, ""),
      label: model.displayName,
      contextWindow: model.inputTokenLimit,
      maxOutput: model.outputTokenLimit,
    })),
);
