import type { LanguageModelV4 } from "@ai-sdk/provider";
import { knownModel, knownModels } from "./catalogue";
import type { ListedModel, ListedModels } from "./describe-model";
import { describeModel } from "./describe-model";
import { describeModelError } from "./describe-model-error";
import { formatModelRef, type ModelInfo, type ModelPrice } from "./model-info";
import { limitsOfSlowModels, type ModelLimits } from "./model-limits";
import { leftOutOf, type ModelProvider, type ProviderProblem } from "./model-provider";
import type { ModelSource } from "./model-source";
import { embeddingModel, languageModel, listModels } from "./protocols";
import type { ModelOverride } from "./provider-settings";
import { type TimedCache, timedCache } from "./timed-cache";

const maxModelsKept = 100;

/** Resolves unlisted models, too, since lists are often incomplete. */
export function providerSource(
  provider: ModelProvider,
  options: {
    overrides: Readonly<Record<string, ModelOverride>>;
    unpriced: ModelPrice;
    fetch: typeof globalThis.fetch;
    now: () => number;
    limits: ModelLimits;
  },
): ModelSource {
  const kept = providerModels(provider, options);
  /** Preparing a model's schemas takes half a millisecond. */
  const made = new Map<string, LanguageModelV4>();
  let problem: ProviderProblem | null = null;
  let leftOut: readonly ProviderProblem[] = [];

  async function listed(): Promise<readonly ListedModel[]> {
    const answer = await kept.get();
    problem = answer.problem;
    leftOut = leftOutOf(provider, answer.leftOut);
    return answer.models;
  }

  async function asListed(id: string): Promise<ListedModel> {
    if (knownModel(provider.kind, id) !== null) return { id };
    return (await listed()).find((model) => model.id === id) ?? { id };
  }

  function modelOf(id: string, { capabilities, without }: ModelInfo): LanguageModelV4 {
    const limits = capabilities.reasoning ? limitsOfSlowModels(options.limits) : options.limits;
    const model = made.get(id) ?? languageModel(provider, id, { ...options, limits, without });
    if (made.size < maxModelsKept) made.set(id, model);
    return model;
  }

  function describe(model: ListedModel) {
    const ref = formatModelRef({ provider: provider.id, modelId: model.id });
    const { unpriced } = options;
    return describeModel(provider, model, { override: options.overrides[ref], unpriced });
  }

  return {
    answersFor: (id) => id === provider.id,
    listModels: async () => (await listed()).map(describe),
    resolve: async ({ modelId }) => {
      const info = describe(await asListed(modelId));
      return { model: modelOf(modelId, info), info };
    },
    embeddings: async ({ modelId }) => {
      const model = embeddingModel(provider, modelId, options);
      return model && { model, info: describe({ id: modelId }) };
    },
    problem: () => problem,
    leftOut: () => leftOut,
  };
}

const listedForMs = 10 * 60 * 1000;
const failedForMs = 30 * 1000;
const timeoutMs = 3000;

type ProviderModels = ListedModels & {
  readonly problem: ProviderProblem | null;
};

/** The person's models come first, then the provider's, then the catalogue's. */
function providerModels(
  provider: ModelProvider,
  options: { fetch: typeof globalThis.fetch; now: () => number },
): TimedCache<ProviderModels> {
  return timedCache(() => load(provider, options.fetch), {
    ttlMs: ({ problem }) => (problem === null ? listedForMs : failedForMs),
    now: options.now,
  });
}

async function load(
  provider: ModelProvider,
  fetch: typeof globalThis.fetch,
): Promise<ProviderModels> {
  if (provider.models !== null)
    return { models: provider.models.map((id) => ({ id })), leftOut: 0, problem: null };
  try {
    const { models, leftOut } = await listModels(provider, { fetch, timeoutMs });
    return { models: inCatalogueOrder(provider, models), leftOut, problem: null };
  } catch (error) {
    return {
      models: knownModels(provider.kind).map(({ id }) => ({ id })),
      leftOut: 0,
      problem: problemOf(provider, error),
    };
  }
}

const naturally = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function inCatalogueOrder(
  { kind }: ModelProvider,
  listed: readonly ListedModel[],
): readonly ListedModel[] {
  const order = knownModels(kind).map(({ id }) => id);
  const rank = ({ id }: ListedModel) => (order.includes(id) ? order.indexOf(id) : order.length);
  return listed.toSorted(
    (one, other) => rank(one) - rank(other) || naturally.compare(one.id, other.id),
  );
}

function problemOf({ id, label }: ModelProvider, error: unknown): ProviderProblem {
  const { message } = describeModelError(error);
  return {
    provider: id,
    providerLabel: label,
    message: `Couldn't load models from ${label}. ${message}`,
  };
}
