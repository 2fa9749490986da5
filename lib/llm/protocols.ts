import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { z } from "zod";
import { checkedFetch, type Fetch } from "./checked-fetch";
import type { ListedModel, ListedModels } from "./describe-model";
import type { Feature } from "./features";
import { fetchJson, refuseRedirects } from "./fetch-json";
import { readGroveOptions } from "./grove-options";
import { hideEchoes } from "./hide-echoes";
import { knowSecret } from "./known-secrets";
import { withServerFacts } from "./local-facts";
import type { ModelCapabilities, ModelPrice } from "./model-info";
import { type ModelLimits, modelLimits } from "./model-limits";
import type { ModelProvider } from "./model-provider";
import { plainSchemas } from "./plain-schemas";
import { providerKinds } from "./provider-kinds";
import { readItems } from "./read-items";
import {
  type AnswerProtocol,
  readingFetch,
  readingParts,
  readingThoughts,
} from "./reading/read-answers";
import { retryCalls } from "./retry-calls";
import { strictTurns } from "./strict-turns";
import { usageIfTaken } from "./usage-if-taken";
import { leavingOut } from "./without-features";

/** The provider packages would read `process.env` and could pair a key with the wrong address. */
export function languageModel(
  provider: ModelProvider,
  modelId: string,
  options: {
    fetch?: Fetch | undefined;
    limits?: ModelLimits | undefined;
    without?: readonly Feature[] | undefined;
  } = {},
): LanguageModelV4 {
  const { fetch = globalThis.fetch, limits = modelLimits({}), without = [] } = options;
  knowSecret(provider.apiKey);
  const protocol = answerProtocol(provider);
  const checked = checkedFetch(refuseRedirects(fetch), limits);
  const asksUsage = protocol === "chat" || protocol === "openai-chat";
  const model = protocols[provider.kind].model(provider, modelId, {
    baseURL: provider.baseUrl,
    apiKey: provider.apiKey ?? "",
    fetch: readingFetch(asksUsage ? usageIfTaken(checked) : checked, protocol),
  });
  const hiding = provider.apiKey === null ? [] : [hideEchoes(provider.apiKey)];
  const thoughts = mayWriteTags(provider) ? [readingThoughts] : [];
  const left = provider.kind === "anthropic" ? [...without, "json" as const] : without;
  const leaving = left.length === 0 ? [] : [leavingOut(left)];
  const middleware = [...leaving, retryCalls(limits), ...hiding, ...thoughts, readingParts];
  return wrapLanguageModel({ model, middleware });
}

/** `null` for a provider that offers none. */
export function embeddingModel(
  provider: ModelProvider,
  modelId: string,
  { fetch, limits }: { readonly fetch: Fetch; readonly limits: ModelLimits },
): EmbeddingModelV4 | null {
  knowSecret(provider.apiKey);
  const { embeddings } = protocols[provider.kind];
  const connection = {
    baseURL: provider.baseUrl,
    apiKey: provider.apiKey ?? "",
    fetch: checkedFetch(refuseRedirects(fetch), limits),
  };
  return embeddings?.(provider, modelId, connection) ?? null;
}

function answerProtocol({ kind, api }: ModelProvider): AnswerProtocol {
  if (kind === "anthropic" || kind === "google") return kind;
  if (kind === "openai") return api === "responses" ? "responses" : "openai-chat";
  return "chat";
}

/** These companies' own services alone send thoughts apart. */
function mayWriteTags({ kind, baseUrl }: ModelProvider): boolean {
  return kind === "compatible" || kind === "local" || baseUrl !== providerKinds[kind].baseUrl;
}

const mostModels = 5_000;

export async function listModels(
  { kind, baseUrl, apiKey }: ModelProvider,
  options: { fetch: Fetch; timeoutMs: number },
): Promise<ListedModels> {
  const { path, entries, item, headers, isOther } = protocols[kind].list;
  knowSecret(apiKey);
  const asking = { ...options, headers: apiKey === null ? {} : headers(apiKey) };
  const list = await fetchJson(`${baseUrl}${path}`, entries, asking);
  const { items, unreadable, over } = readItems(list, {
    item,
    keyOf: ({ id }) => id,
    most: mostModels,
  });
  const models = items.filter(({ id }) => !cannotChat.test(id) && !isOther?.test(id));
  if (kind !== "compatible") return { models, leftOut: unreadable + over };
  return { models: await withServerFacts(baseUrl, models, asking), leftOut: unreadable + over };
}

interface Connection {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
}

interface Protocol {
  model(provider: ModelProvider, modelId: string, connection: Connection): LanguageModelV4;
  embeddings?(provider: ModelProvider, modelId: string, connection: Connection): EmbeddingModelV4;
  readonly list: {
    readonly path: string;
    readonly entries: z.ZodType<readonly unknown[]>;
    readonly item: z.ZodType<ListedModel>;
    headers(apiKey: string): Record<string, string>;
    readonly isOther?: RegExp;
  };
}

/** OpenAI stores responses for 30 days: an old or edited conversation would miss items. */
const unstored = { openai: { store: false } };

/** Anthropic caches only on request. Compatible servers may refuse the unknown field. */
const cached: LanguageModelMiddleware = {
  transformParams: async ({ params }) => {
    const { anthropic, ...others } = params.providerOptions ?? {};
    if (readGroveOptions(params.providerOptions).withoutCaching) return params;
    const caching = { cacheControl: { type: "ephemeral" }, ...anthropic };
    return { ...params, providerOptions: { ...others, anthropic: caching } };
  },
};

// In open models "instruct" means chat; in OpenAI's the opposite.
const cannotChat = /embed|rerank|whisper|\btts\b|dall-e|moderation/i;
const otherAtOpenAI =
  /image|audio|realtime|transcribe|translate|instruct|babbage|davinci|sora|-live|search-preview|computer-use|deep-research/i;

/** Some servers send the list without an object around it, or under the other name; Ollama's empty one is `null`. */
const entriesSchema = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => data ?? []),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
]);

const modelId = z.union([z.string().trim().min(1).max(300), z.number().int().transform(String)]);
const modelName = z.string().min(1).optional().catch(undefined);

const anthropicModel = z
  .object({ id: modelId, display_name: modelName })
  .transform(({ id, display_name }): ListedModel => ({ id, label: display_name }));

const tokens = z.number().int().positive().optional().catch(undefined);
const dollarsPerToken = z.coerce.number().nonnegative();

const names = z.array(z.string()).optional().catch(undefined);

// Extensions of OpenAI's list: `context_length`, `pricing`, `architecture`, `supported_parameters` and `top_provider`
// from OpenRouter, `context_window` from Groq, `max_model_len` from vLLM, `meta.n_ctx` from llama.cpp.
const openaiModel = z
  .object({
    id: modelId,
    name: modelName,
    owned_by: modelName,
    context_length: tokens,
    context_window: tokens,
    max_model_len: tokens,
    meta: z.object({ n_ctx: tokens }).optional().catch(undefined),
    pricing: z
      .object({ prompt: dollarsPerToken, completion: dollarsPerToken })
      .optional()
      .catch(undefined),
    architecture: z.object({ input_modalities: names }).optional().catch(undefined),
    supported_parameters: names,
    top_provider: z.object({ max_completion_tokens: tokens }).optional().catch(undefined),
  })
  .transform(
    (model): ListedModel => ({
      id: model.id,
      label: model.name,
      contextWindow:
        model.context_length ?? model.context_window ?? model.max_model_len ?? model.meta?.n_ctx,
      maxOutput: model.top_provider?.max_completion_tokens,
      price: priceOf(model.pricing),
      parameters: model.supported_parameters,
      ...(model.owned_by !== undefined && { ownedBy: model.owned_by }),
      ...((model.architecture || model.supported_parameters) && {
        capabilities: {
          ...takenBy(model.architecture?.input_modalities),
          ...calledBy(model.supported_parameters),
        },
      }),
    }),
  );

function takenBy(modalities?: readonly string[]): Partial<ModelCapabilities> {
  if (!modalities) return {};
  return { images: modalities.includes("image"), pdfs: modalities.includes("file") };
}

function calledBy(parameters?: readonly string[]): Partial<ModelCapabilities> {
  if (!parameters) return {};
  return { tools: parameters.includes("tools"), reasoning: parameters.includes("reasoning") };
}

function priceOf(pricing?: { prompt: number; completion: number }): ModelPrice | undefined {
  if (pricing === undefined) return undefined;
  return {
    inputPerMillion: pricing.prompt * 1_000_000,
    outputPerMillion: pricing.completion * 1_000_000,
  };
}

const otherAtGoogle = /image|tts|audio|robotics|computer-use|nano-banana|live/;

const googleMethods = z.object({ supportedGenerationMethods: z.array(z.string()) });

function generatesContent(entry: unknown): boolean {
  const { data } = googleMethods.safeParse(entry);
  return data?.supportedGenerationMethods.includes("generateContent") ?? true;
}

const googleModel = z
  .object({
    name: z.string().min(1),
    displayName: modelName,
    inputTokenLimit: tokens,
    outputTokenLimit: tokens,
  })
  .transform(
    (model): ListedModel => ({
      id: model.name.replace(/^models\//, ""),
      label: model.displayName,
      contextWindow: model.inputTokenLimit,
      maxOutput: model.outputTokenLimit,
    }),
  );

const openaiList = {
  path: "/models",
  entries: entriesSchema,
  item: openaiModel,
  headers: (apiKey: string) => ({ authorization: `Bearer ${apiKey}` }),
};

function compatibleServer(
  { id, apiKey: key }: ModelProvider,
  { apiKey, ...connection }: Connection,
) {
  return createOpenAICompatible({
    ...connection,
    name: id.replace(/^[a-z]+:/, ""),
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(key === null ? {} : { apiKey }),
  });
}

const compatible: Protocol = {
  model: (provider, modelId, connection) =>
    wrapLanguageModel({
      model: compatibleServer(provider, connection).languageModel(modelId),
      middleware: [strictTurns, plainSchemas, callsInTurn],
    }),
  embeddings: (provider, modelId, connection) =>
    compatibleServer(provider, connection).embeddingModel(modelId),
  list: openaiList,
};

/** The package has no option for it, and passes fields on under the provider's own name. */
const callsInTurn: LanguageModelMiddleware = {
  transformParams: async ({ params, model }) => {
    const { parallelCalls } = readGroveOptions(params.providerOptions);
    if (parallelCalls === undefined) return params;
    const name = model.provider.replace(/\..*$/, "");
    const own = { ...params.providerOptions?.[name], parallel_tool_calls: parallelCalls };
    return { ...params, providerOptions: { ...params.providerOptions, [name]: own } };
  },
};

const protocols: Record<ModelProvider["kind"], Protocol> = {
  anthropic: {
    model: ({ baseUrl }, modelId, connection) => {
      const claude = createAnthropic(connection).languageModel(modelId);
      const isTheirs = baseUrl === providerKinds.anthropic.baseUrl;
      return isTheirs ? wrapLanguageModel({ model: claude, middleware: cached }) : claude;
    },
    list: {
      path: "/models?limit=1000",
      entries: entriesSchema,
      item: anthropicModel,
      headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
    },
  },
  openai: {
    model: ({ api }, modelId, connection) => {
      const openai = createOpenAI(connection);
      if (api === "chat")
        return wrapLanguageModel({ model: openai.chat(modelId), middleware: strictTurns });
      const middleware = defaultSettingsMiddleware({ settings: { providerOptions: unstored } });
      return wrapLanguageModel({ model: openai.responses(modelId), middleware });
    },
    embeddings: (_, modelId, connection) => createOpenAI(connection).embeddingModel(modelId),
    list: { ...openaiList, isOther: otherAtOpenAI },
  },
  google: {
    model: (_, modelId, connection) => createGoogle(connection).languageModel(modelId),
    embeddings: (_, modelId, connection) => createGoogle(connection).embeddingModel(modelId),
    list: {
      path: "/models?pageSize=1000",
      entries: entriesSchema.transform((entries) => entries.filter(generatesContent)),
      item: googleModel,
      isOther: otherAtGoogle,
      headers: (apiKey) => ({ "x-goog-api-key": apiKey }),
    },
  },
  compatible,
  local: compatible,
};
