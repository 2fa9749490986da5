import type { LanguageModelV4 } from "@ai-sdk/provider";
import { knownModel } from "./catalogue";
import { describeModel } from "./describe-model";
import { languageModel } from "./language-model";
import type { ListedModel } from "./listed-model";
import type { ModelProvider, ProviderProblem } from "./model-provider";
import { formatModelRef } from "./model-ref";
import type { ModelSource } from "./model-source";
import { providerModels } from "./provider-models";
import type { ModelOverride } from "./provider-settings";

const maxModelsKept = 100;

/**
 * The models of one configured provider.
 *
 * A model that the provider does not list can still be resolved: lists are often incomplete.
 */
export function providerSource(
  provider: ModelProvider,
  options: {
    overrides: Readonly<Record<string, ModelOverride>>;
    fetch: typeof globalThis.fetch;
    now: () => number;
  },
): ModelSource {
  const kept = providerModels(provider, options);
  /** Making one prepares its schemas, which would cost every turn half a millisecond. */
  const made = new Map<string, LanguageModelV4>();
  let problem: ProviderProblem | null = null;

  async function listed(): Promise<readonly ListedModel[]> {
    const answer = await kept.get();
    problem = answer.problem;
    return answer.models;
  }

  /** A turn waits for the provider's list only where the catalogue cannot say how large the window is. */
  async function asListed(id: string): Promise<ListedModel> {
    if (knownModel(provider.kind, id) !== null) return { id };
    return (await listed()).find((model) => model.id === id) ?? { id };
  }

  function modelOf(id: string): LanguageModelV4 {
    const model = made.get(id) ?? languageModel(provider, id, options);
    if (made.size < maxModelsKept) made.set(id, model);
    return model;
  }

  function describe(model: ListedModel) {
    const ref = formatModelRef({ provider: provider.id, modelId: model.id });
    return describeModel(provider, model, options.overrides[ref]);
  }

  return {
    answersFor: (id) => id === provider.id,
    listModels: async () => (await listed()).map(describe),
    resolve: async ({ modelId }) => ({
      model: modelOf(modelId),
      info: describe(await asListed(modelId)),
    }),
    problem: () => problem,
  };
}
