import { anthropicModelListSchema } from "./anthropic-model-list";
import { chatModelsOnly } from "./chat-models-only";
import { fetchJson } from "./fetch-json";
import { googleModelListSchema } from "./google-model-list";
import type { ListedModel } from "./listed-model";
import type { ModelProvider } from "./model-provider";
import { openaiModelListSchema } from "./openai-model-list";

/**
 * Asks a provider for the models this key may use, those that cannot chat left out.
 *
 * @throws when the provider does not answer, refuses the key, or answers something else.
 */
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
