import { knownModels } from "./catalogue";
import { describeModelError } from "./describe-model-error";
import { listModels } from "./list-models";
import type { ListedModel } from "./listed-model";
import type { ModelProvider, ProviderProblem } from "./model-provider";
import { type TimedCache, timedCache } from "./timed-cache";

const listedForMs = 10 * 60 * 1000;
const failedForMs = 30 * 1000;
const timeoutMs = 3000;

/** The models to offer for a provider, and why the list may be incomplete. */
export type ProviderModels = {
  readonly models: readonly ListedModel[];
  readonly problem: ProviderProblem | null;
};

/**
 * The models of one provider: those the person named, else those the provider lists, else the catalogue.
 *
 * Never fails: a provider that does not answer is a problem beside the catalogue's list, and is asked again
 * after half a minute.
 */
export function providerModels(
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
    return { models: provider.models.map((id) => ({ id })), problem: null };
  try {
    return {
      models: inCatalogueOrder(provider, await listModels(provider, { fetch, timeoutMs })),
      problem: null,
    };
  } catch (error) {
    return {
      models: knownModels(provider.kind).map(({ id }) => ({ id })),
      problem: problemOf(provider, error),
    };
  }
}

/** Models Grove knows come first, in the catalogue's order; the others follow by name. */
function inCatalogueOrder(
  { kind }: ModelProvider,
  listed: readonly ListedModel[],
): readonly ListedModel[] {
  const order = knownModels(kind).map(({ id }) => id);
  const rank = ({ id }: ListedModel) => (order.includes(id) ? order.indexOf(id) : order.length);
  return listed.toSorted((one, other) => rank(one) - rank(other) || one.id.localeCompare(other.id));
}

function problemOf({ id, label }: ModelProvider, error: unknown): ProviderProblem {
  const { message } = describeModelError(error);
  return {
    provider: id,
    providerLabel: label,
    message: `Couldn't load models from ${label}. ${message}`,
  };
}
