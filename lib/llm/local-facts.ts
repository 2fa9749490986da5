import { z } from "zod";
import type { ListedModel } from "./describe-model";
import { fetchJson } from "./fetch-json";

interface ProbeOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly headers?: Record<string, string>;
}

type Facts = (model: ListedModel) => ListedModel | null;

/** The list lacks the loaded window, which is smaller than the trained one, and images. */
export async function withLocalFacts(
  { name, origin }: { readonly name: string; readonly origin: string },
  models: readonly ListedModel[],
  asking: ProbeOptions,
): Promise<ListedModel[]> {
  const read = readers[name];
  if (!read) return [...models];
  const facts = await read(origin, asking).catch((): Facts => (model) => model);
  return models.map(facts).filter((model) => model !== null);
}

const productOf: Readonly<Record<string, string>> = {
  library: "ollama",
  llamacpp: "llama.cpp",
  organization_owner: "lm-studio",
};

export async function withServerFacts(
  baseUrl: string,
  models: readonly ListedModel[],
  asking: ProbeOptions,
): Promise<ListedModel[]> {
  const owner = models.find(
    ({ ownedBy }) => ownedBy !== undefined && ownedBy in productOf,
  )?.ownedBy;
  if (owner === undefined) return [...models];
  const origin = nativeAddress(baseUrl);
  return withLocalFacts({ name: productOf[owner] ?? "", origin }, models, asking);
}

/** A local server's own interface lies beside its OpenAI-compatible one. */
export function nativeAddress(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, "");
}

const readers: Readonly<Record<string, (origin: string, asking: ProbeOptions) => Promise<Facts>>> =
  { ollama: ollamaFacts, "lm-studio": lmStudioFacts, "llama.cpp": llamaFacts };

const tokens = z.number().int().positive().optional().catch(undefined);

const lmStudioModel = z.object({
  id: z.string(),
  type: z.string().optional().catch(undefined),
  max_context_length: tokens,
  loaded_context_length: tokens,
  capabilities: z.array(z.string()).optional().catch(undefined),
});
const lmStudioList = z.object({ data: z.array(z.unknown()) });

/** @see https://lmstudio.ai/docs/developer/rest/endpoints */
async function lmStudioFacts(origin: string, asking: ProbeOptions): Promise<Facts> {
  const { data } = await fetchJson(`${origin}/api/v0/models`, lmStudioList, asking);
  const known = new Map(
    data.flatMap((each) => {
      const { data: model } = lmStudioModel.safeParse(each);
      return model ? [[model.id, model] as const] : [];
    }),
  );
  return (model) => {
    const said = known.get(model.id);
    if (!said) return model;
    if (said.type === "embeddings") return null;
    const calls = said.capabilities?.includes("tool_use");
    return {
      ...model,
      contextWindow: said.loaded_context_length ?? said.max_context_length ?? model.contextWindow,
      capabilities: {
        ...model.capabilities,
        ...((said.type === "vlm" || said.type === "llm") && { images: said.type === "vlm" }),
        ...(calls && { tools: true }),
      },
    };
  };
}

const llamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
  modalities: z.object({ vision: z.boolean() }).optional().catch(undefined),
});

/** @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
async function llamaFacts(origin: string, asking: ProbeOptions): Promise<Facts> {
  const props = await fetchJson(`${origin}/props`, llamaProps, asking);
  const { modalities } = props;
  return (model) => ({
    ...model,
    contextWindow: props.default_generation_settings?.n_ctx ?? model.contextWindow,
    ...(modalities && { capabilities: { ...model.capabilities, images: modalities.vision } }),
  });
}

const runningModel = z.object({ name: z.string(), context_length: tokens });
const runningList = z.object({ models: z.array(z.unknown()) });

/** @see https://docs.ollama.com/api/ps */
async function ollamaFacts(origin: string, asking: ProbeOptions): Promise<Facts> {
  const { models } = await fetchJson(`${origin}/api/ps`, runningList, asking);
  const loaded = new Map(
    models.flatMap((each) => {
      const { data } = runningModel.safeParse(each);
      return data ? [[data.name, data.context_length] as const] : [];
    }),
  );
  return (model) => ({ ...model, contextWindow: loaded.get(model.id) ?? model.contextWindow });
}

export function ollamaWindow(parameters: string): number | null {
  const size = Number(/^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1] ?? 0);
  return size > 0 ? size : null;
}
