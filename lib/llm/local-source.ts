import { describeModel } from "./describe-model";
import { discoverLocalModels, type LocalModels } from "./discover-local-models";
import type { Environment } from "./environment-providers";
import { languageModel } from "./language-model";
import type { ListedModel } from "./listed-model";
import { localServers } from "./local-servers";
import { formatModelRef, type ModelRef } from "./model-ref";
import type { ModelSource } from "./model-source";
import { ModelUnavailableError } from "./model-unavailable-error";
import type { ModelOverride } from "./provider-settings";
import { timedCache } from "./timed-cache";

const foundForMs = 30 * 1000;
const timeoutMs = 600;

/**
 * The models of servers found on this machine.
 *
 * What was found is kept for half a minute; a server that is asked for and was not there is looked for again at
 * once, so that starting it is enough.
 */
export function localSource(options: {
  environment: Environment;
  overrides: Readonly<Record<string, ModelOverride>>;
  fetch: typeof globalThis.fetch;
  now: () => number;
}): ModelSource {
  const servers = localServers(options.environment);
  const found = timedCache(() => discoverLocalModels({ ...options, timeoutMs }), {
    ttlMs: () => foundForMs,
    now: options.now,
  });

  function describe({ provider }: LocalModels, model: ListedModel) {
    const ref = formatModelRef({ provider: provider.id, modelId: model.id });
    return describeModel(provider, model, options.overrides[ref]);
  }

  async function serverOf(ref: ModelRef): Promise<LocalModels> {
    const isAsked = ({ provider }: LocalModels) => provider.id === ref.provider;
    const server = (await found.get()).find(isAsked) ?? (await found.refresh()).find(isAsked);
    if (server === undefined) throw notRunning(ref, servers);
    return server;
  }

  return {
    answersFor: (provider) => servers.some(({ name }) => provider === `local:${name}`),
    listModels: async () =>
      (await found.get()).flatMap((server) =>
        server.models.map((model) => describe(server, model)),
      ),
    resolve: async (ref) => {
      const server = await serverOf(ref);
      const model = server.models.find(({ id }) => id === ref.modelId) ?? { id: ref.modelId };
      return {
        model: languageModel(server.provider, ref.modelId, options),
        info: describe(server, model),
      };
    },
    problem: () => null,
  };
}

function notRunning(
  ref: ModelRef,
  servers: readonly { name: string; label: string }[],
): ModelUnavailableError {
  const label = servers.find(({ name }) => ref.provider === `local:${name}`)?.label ?? ref.provider;
  const message = `${label} isn't running on this machine. Start it or choose another model.`;
  return new ModelUnavailableError("local-server-down", formatModelRef(ref), message);
}
