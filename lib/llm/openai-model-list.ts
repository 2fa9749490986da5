import { z } from "zod";
import type { ListedModel } from "./listed-model";
import type { ModelPrice } from "./model-info";

const tokens = z.number().int().positive().optional().catch(undefined);
const dollarsPerToken = z.coerce.number().nonnegative();

// The list every OpenAI-compatible server has, with what some add: `context_length` and `pricing` OpenRouter,
// `context_window` Groq, `max_model_len` vLLM, `meta.n_ctx` llama.cpp.
const listSchema = z.object({
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

/** Reads the answer of `GET /models` as OpenAI defined it. */
export const openaiModelListSchema = listSchema.transform(({ data }): ListedModel[] =>
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
