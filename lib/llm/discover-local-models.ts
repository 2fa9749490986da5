import type { Environment } from "./environment-providers";
import { listModels } from "./list-models";
import type { ListedModel } from "./listed-model";
import { type LocalServer, localServers } from "./local-servers";
import type { ModelProvider } from "./model-provider";
import { ollamaModels } from "./ollama-models";

/** A model server that answered on this machine, and what it serves. */
export type LocalModels = {
  readonly provider: ModelProvider;
  readonly models: readonly ListedModel[];
};

/**
 * Looks for model servers on this machine's loopback address.
 *
 * Whatever listens on a port without answering like a model server is passed over. Never throws, and takes no
 * longer than the time limit for each of its two questions.
 */
export async function discoverLocalModels(options: {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  environment: Environment;
}): Promise<LocalModels[]> {
  const answers = await Promise.all(
    localServers(options.environment).map((server) => probe(server, options)),
  );
  return answers.filter((answer) => answer !== null);
}

async function probe(
  server: LocalServer,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number; environment: Environment },
): Promise<LocalModels | null> {
  const origin = `http://127.0.0.1:${server.port}`;
  const provider = localProvider(server, origin);
  try {
    const models =
      server.name === "ollama"
        ? await ollamaModels(origin, options)
        : await listModels(provider, options);
    return models.length === 0 ? null : { provider, models };
  } catch {
    // Nothing there, or something else: the usual case on most machines.
    return null;
  }
}

function localProvider({ name, label }: LocalServer, origin: string): ModelProvider {
  return {
    id: `local:${name}`,
    kind: "local",
    label: `${label} (this machine)`,
    baseUrl: `${origin}/v1`,
    apiKey: null,
    api: "chat",
    models: null,
  };
}
