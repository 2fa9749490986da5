import { z } from "zod";
import type { ListedModel, ListedModels } from "./describe-model";
import { describeModel } from "./describe-model";
import { fetchJson } from "./fetch-json";
import { ollamaWindow, withLocalFacts } from "./local-facts";
import { formatModelRef, freeOfCharge, type ModelRef } from "./model-info";
import { limitsOfSlowModels, type ModelLimits } from "./model-limits";
import { leftOutOf, type ModelProvider, type ProviderProblem } from "./model-provider";
import { type ModelSource, ModelUnavailableError } from "./model-source";
import { embeddingModel, languageModel, listModels } from "./protocols";
import type { Environment, ModelOverride } from "./provider-settings";
import { readItems } from "./read-items";
import { timedCache } from "./timed-cache";

const foundForMs = 30 * 1000;
const timeoutMs = 600;

/** A list lasts half a minute. */
export function localSource(options: {
  environment: Environment;
  overrides: Readonly<Record<string, ModelOverride>>;
  fetch: typeof globalThis.fetch;
  now: () => number;
  limits: ModelLimits;
}): ModelSource {
  const servers = localServers(options.environment);
  const found = timedCache(() => discoverLocalModels({ ...options, timeoutMs }), {
    ttlMs: () => foundForMs,
    now: options.now,
  });

  let leftOut: readonly ProviderProblem[] = [];

  function describe({ provider }: LocalModels, model: ListedModel) {
    const ref = formatModelRef({ provider: provider.id, modelId: model.id });
    const override = options.overrides[ref];
    return describeModel(provider, model, { override, unpriced: freeOfCharge });
  }

  async function serverOf(ref: ModelRef): Promise<LocalModels> {
    const isAsked = ({ provider }: LocalModels) => provider.id === ref.provider;
    const server = (await found.get()).find(isAsked) ?? (await found.refresh()).find(isAsked);
    if (server === undefined) throw notRunning(ref, servers);
    return server;
  }

  async function listed(): Promise<readonly LocalModels[]> {
    const running = await found.get();
    leftOut = running.flatMap((server) => leftOutOf(server.provider, server.leftOut));
    return running;
  }

  return {
    answersFor: (provider) => servers.some(({ name }) => provider === `local:${name}`),
    listModels: async () =>
      (await listed()).flatMap((server) => server.models.map((model) => describe(server, model))),
    resolve: async (ref) => {
      const server = await serverOf(ref);
      const model = server.models.find(({ id }) => id === ref.modelId) ?? { id: ref.modelId };
      const info = describe(server, model);
      return {
        model: languageModel(server.provider, ref.modelId, {
          ...options,
          limits: limitsOfSlowModels(options.limits),
          without: info.without,
        }),
        info,
      };
    },
    embeddings: async (ref) => {
      const server = await serverOf(ref);
      const model = embeddingModel(server.provider, ref.modelId, options);
      return model && { model, info: describe(server, { id: ref.modelId }) };
    },
    problem: () => null,
    leftOut: () => leftOut,
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

export type LocalModels = {
  readonly provider: ModelProvider;
} & ListedModels;

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
    const { models: listed, leftOut } =
      server.name === "ollama"
        ? await ollamaModels(origin, options)
        : await listModels(provider, options);
    const models = await withLocalFacts({ name: server.name, origin }, listed, options);
    return models.length === 0 ? null : { provider, models, leftOut };
  } catch {
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

/** `null` where Ollama is not looked for. */
export function localOllama(environment: Environment): ModelProvider | null {
  const server = localServers(environment).find(({ name }) => name === "ollama");
  return server ? localProvider(server, `http://127.0.0.1:${server.port}`) : null;
}

type LocalServer = { readonly name: string; readonly label: string; readonly port: number };

const knownServers: readonly LocalServer[] = [
  { name: "ollama", label: "Ollama", port: 11434 },
  { name: "lm-studio", label: "LM Studio", port: 1234 },
  { name: "llama.cpp", label: "llama.cpp", port: 8080 },
  { name: "vllm", label: "vLLM", port: 8000 },
];

function localServers(environment: Environment): readonly LocalServer[] {
  if (environment.GROVE_DISCOVER_LOCAL?.trim() === "0") return [];
  const moved = portsOf(environment.GROVE_LOCAL_PORTS ?? "");
  return knownServers.map((server) => ({ ...server, port: moved.get(server.name) ?? server.port }));
}

function portsOf(list: string): Map<string, number> {
  const ports = new Map<string, number>();
  for (const entry of list.split(",")) {
    const [name = "", port = ""] = entry.split("=").map((side) => side.trim());
    const number = Number(port);
    if (name !== "" && Number.isInteger(number) && number > 0 && number < 65_536)
      ports.set(name, number);
  }
  return ports;
}

const tagsSchema = z.object({ models: z.array(z.unknown()) });
const tagSchema = z.object({ name: z.string().min(1) });
const mostModels = 1_000;

const showSchema = z.object({
  capabilities: z.array(z.string()).default(["completion", "tools"]),
  model_info: z.record(z.string(), z.unknown()).default({}),
  parameters: z.string().catch(""),
});

// Ollama's default without a large graphics card; it silently drops the beginning of a longer conversation.
const defaultWindow = 4096;
/** Each model's details cost a request; further models are listed without. */
const detailedModels = 100;

async function ollamaModels(
  origin: string,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number; environment: Environment },
): Promise<ListedModels> {
  const tags = await fetchJson(`${origin}/api/tags`, tagsSchema, options);
  const { items, unreadable, over } = readItems(tags.models, {
    item: tagSchema,
    keyOf: ({ name }) => name,
    most: mostModels,
  });
  const window = Number(options.environment.OLLAMA_CONTEXT_LENGTH) || defaultWindow;
  const described = await Promise.all(
    items.map(async ({ name }, index) => {
      const shown = index < detailedModels ? await show(origin, name, options) : null;
      return describeShown(name, shown, window);
    }),
  );
  return { models: described.filter((model) => model !== null), leftOut: unreadable + over };
}

type Shown = z.infer<typeof showSchema>;

async function show(
  origin: string,
  model: string,
  options: { fetch: typeof globalThis.fetch; timeoutMs: number },
): Promise<Shown | null> {
  try {
    return await fetchJson(`${origin}/api/show`, showSchema, { ...options, body: { model } });
  } catch {
    return null;
  }
}

function describeShown(id: string, shown: Shown | null, window: number): ListedModel | null {
  if (shown === null) return { id, contextWindow: window };
  if (!shown.capabilities.includes("completion")) return null;
  const trained = Object.entries(shown.model_info).find(([key]) =>
    key.endsWith(".context_length"),
  )?.[1];
  const given = ollamaWindow(shown.parameters) ?? window;
  return {
    id,
    contextWindow: typeof trained === "number" ? Math.min(trained, given) : given,
    capabilities: {
      tools: shown.capabilities.includes("tools"),
      reasoning: shown.capabilities.includes("thinking"),
      images: shown.capabilities.includes("vision"),
      pdfs: false,
    },
  };
}
