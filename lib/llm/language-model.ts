import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defaultSettingsMiddleware, extractReasoningMiddleware, wrapLanguageModel } from "ai";
import { refuseRedirects } from "./fetch-json";
import { hostedBaseUrl, type ModelProvider } from "./model-provider";

type Fetch = typeof globalThis.fetch;

/**
 * Address and key are always passed: otherwise the provider packages read `process.env` and could pair a key with the
 * wrong address.
 */
export function languageModel(
  provider: ModelProvider,
  modelId: string,
  options: { fetch?: Fetch | undefined } = {},
): LanguageModelV4 {
  const connection = {
    baseURL: provider.baseUrl,
    fetch: refuseRedirects(options.fetch ?? globalThis.fetch),
  };
  const apiKey = provider.apiKey ?? "";
  switch (provider.kind) {
    case "openai": {
      const openai = createOpenAI({ ...connection, apiKey });
      return provider.api === "chat" ? openai.chat(modelId) : unstored(openai.responses(modelId));
    }
    case "anthropic": {
      const claude = createAnthropic({ ...connection, apiKey }).languageModel(modelId);
      return provider.baseUrl === hostedBaseUrl("anthropic") ? cached(claude) : claude;
    }
    case "google":
      return createGoogle({ ...connection, apiKey }).languageModel(modelId);
    case "compatible":
    case "local":
      return withThoughts(
        createOpenAICompatible({
          ...connection,
          name: provider.id.replace(/^[a-z]+:/, ""),
          includeUsage: true,
          ...(provider.apiKey === null ? {} : { apiKey }),
        }).languageModel(modelId),
      );
  }
}

/**
 * OpenAI stores responses for 30 days by default and refers to them by id: an edited, forked or old conversation would
 * miss items.
 */
function unstored(model: LanguageModelV4): LanguageModelV4 {
  const settings = { providerOptions: { openai: { store: false } } };
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
}

/** Anthropic caches only on request. Compatible servers may refuse the unknown field. */
function cached(model: LanguageModelV4): LanguageModelV4 {
  const settings = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
}

/** Open models write reasoning between tags in the text. */
function withThoughts(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: "think" }) });
}
