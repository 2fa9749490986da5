import { createModelAdapter, type ModelAdapterOptions } from "./model-adapter";
import type { LLMAdapter } from "./types";

export type ClaudeModel =
  | "claude-opus-4-20250514"
  | "claude-sonnet-4-20250514"
  | "claude-haiku-4-5-20251001";

export type GPTModel = keyof typeof gptWindows;

export interface ProviderOptions<Model extends string> {
  model: Model;
  apiKey: string;
  baseURL?: string | undefined;
}

export type ClaudeOptions = ProviderOptions<ClaudeModel>;
export type GPTOptions = ProviderOptions<GPTModel>;
export type AnthropicAdapterOptions = ProviderOptions<string> & ModelAdapterOptions;

export interface OpenAICompatibleOptions extends ProviderOptions<string>, ModelAdapterOptions {
  baseURL: string;
  extraBody?: Record<string, unknown> | undefined;
}

const claudeWindow = 200_000;

/** Context windows in tokens, as documented. */
const gptWindows = {
  "gpt-4o": 128_000,
  "gpt-4o-mini": 128_000,
  "gpt-4.1": 1_047_576,
  "gpt-4.1-mini": 1_047_576,
  "gpt-4.1-nano": 1_047_576,
  o3: 200_000,
  "o3-mini": 200_000,
  "o4-mini": 200_000,
} as const;

/** Requires `@ai-sdk/anthropic`. */
export function createClaude(options: ClaudeOptions): LLMAdapter {
  return createAnthropicAdapter({ ...options, maxContextTokens: claudeWindow });
}

/** Requires `@ai-sdk/openai`. */
export function createGPT({ model, apiKey, baseURL }: GPTOptions): LLMAdapter {
  const load = async () => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, ...(baseURL !== undefined && { baseURL }) }).chat(model);
  };
  return createModelAdapter(load, { maxContextTokens: gptWindows[model] });
}

/** Serves other models and servers of the Anthropic protocol. Requires `@ai-sdk/anthropic`. */
export function createAnthropicAdapter(options: AnthropicAdapterOptions): LLMAdapter {
  const { model, apiKey, baseURL, ...limits } = options;
  const load = async () => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, ...(baseURL !== undefined && { baseURL }) }).chat(model);
  };
  return createModelAdapter(load, limits);
}

/** Serves servers of the OpenAI protocol. Requires `@ai-sdk/openai-compatible`. */
export function createOpenAICompatibleAdapter(options: OpenAICompatibleOptions): LLMAdapter {
  const { model, apiKey, baseURL, extraBody = {}, ...limits } = options;
  const load = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: "openai-compatible",
      apiKey,
      baseURL,
      includeUsage: true,
      transformRequestBody: (body) => ({ ...body, ...extraBody }),
    });
    return provider.chatModel(model);
  };
  return createModelAdapter(load, limits);
}
