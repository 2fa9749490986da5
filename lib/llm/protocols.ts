import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { z } from "zod";
import { checkedFetch } from "./checked-fetch";
import type { Feature } from "./features";
import { fetchJson, refuseRedirects } from "./fetch-json";
import { readGroveOptions } from "./grove-options";
import { hideEchoes } from "./hide-echoes";
import { knowSecret } from "./known-secrets";
import type { ListedModel, ListedModels } from "./listed-model";
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

type Fetch = typeof globalThis.fetch;

/**
 * Address and key are always passed: otherwise the provider packages read `process.env` and could pair a key with the
 * wrong address.
 */
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
  const leaving = without.length === 0 ? [] : [leavingOut(without)];
  const middleware = [...leaving, retryCalls(limits), ...hiding, ...thoughts, readingParts];
  return wrapLanguageModel({ model, middleware });
}

function answerProtocol({ kind, api }: ModelProvider): AnswerProtocol {
  if (kind === "anthropic" || kind === "google") return kind;
  if (kind === "openai") return api === "responses" ? "responses" : "openai-chat";
  return "chat";
}

/** The services of these companies send thoughts apart. Other servers that speak their protocols run open models. */
function mayWriteTags({ kind, baseUrl }: ModelProvider): boolean {
  return kind === "compatible" || kind === "local" || baseUrl !== providerKinds[kind].baseUrl;
}

const mostModels = 5_000;

/** Lists chat models. @throws when the provider does not answer, refuses the key, or answers something else. */
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

interface Protocol {
  model(
    provider: ModelProvider,
    modelId: string,
    connection: { baseURL: string; apiKey: string; fetch: Fetch },
  ): LanguageModelV4;
  readonly list: {
    readonly path: string;
    readonly entries: z.ZodType<readonly unknown[]>;
    readonly item: z.ZodType<ListedModel>;
    headers(apiKey: string): Record<string, string>;
    /** Models of this service that cannot chat. */
    readonly isOther?: RegExp;
  };
}

/** OpenAI stores responses for 30 days by default and refers to them by id: an edited, forked or old conversation would
 * miss items. */
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

// These cannot chat. In open models "instruct" means chat; in OpenAI's the opposite.
const cannotChat = /embed|rerank|whisper|\btts\b|dall-e|moderation/i;
const otherAtOpenAI =
  /image|audio|realtime|transcribe|translate|instruct|babbage|davinci|sora|-live|search-preview|computer-use|deep-research/i;

/** Some servers send the list without an object around it, or under the other name. */
const entriesSchema = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
]);

/** Some servers number their models. */
const modelId = z.union([z.string().trim().min(1).max(300), z.number().int().transform(String)]);
const modelName = z.string().min(1).optional().catch(undefined);

const anthropicModel = z
  .object({ id: modelId, display_name: modelName })
  .transform(({ id, display_name }): ListedModel => ({ id, label: display_name }));

const tokens = z.number().int().positive().optional().catch(undefined);
const dollarsPerToken = z.coerce.number().nonnegative();

const names = z.array(z.string()).optional().catch(undefined);

// OpenAI-compatible, with extensions: `context_length`, `pricing`, `architecture`, `supported_parameters` and
// `top_provider` OpenRouter, `context_window` Groq, `max_model_len` vLLM, `meta.n_ctx` llama.cpp.
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

/** A model that does not say what it generates may chat. */
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

const compatible: Protocol = {
  model: ({ id, apiKey: key }, modelId, { apiKey, ...connection }) =>
    wrapLanguageModel({
      model: createOpenAICompatible({
        ...connection,
        name: id.replace(/^[a-z]+:/, ""),
        includeUsage: true,
        ...(key === null ? {} : { apiKey }),
      }).languageModel(modelId),
      middleware: [strictTurns, plainSchemas],
    }),
  list: openaiList,
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
    list: { ...openaiList, isOther: otherAtOpenAI },
  },
  google: {
    model: (_, modelId, connection) => createGoogle(connection).languageModel(modelId),
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
