import { anthropic } from "@ai-sdk/anthropic";
import { google } from "@ai-sdk/google";
import { openai } from "@ai-sdk/openai";
import type { Tool } from "ai";
import type { ModelProvider } from "./model-provider";
import { isHostedKind, kindFacts, type ProviderKind } from "./provider-kinds";

export type WebSearchKind = Exclude<ProviderKind, "compatible">;

// Gemini before 3 takes no other tools beside its search.
const searching: Record<WebSearchKind, RegExp> = {
  anthropic: /^claude-(?!2|instant|3-(?:opus|sonnet|haiku)-)/,
  openai: /^(?:gpt-(?:4o|4\.1(?!-nano)|[5-9])|o[3-9])/,
  google: /^gemini-(?:[3-9]|\d\d)/,
};

export function webSearchOf(
  { kind, baseUrl, api }: Pick<ModelProvider, "kind" | "baseUrl" | "api">,
  modelId: string,
): { webSearch?: WebSearchKind } {
  if (!isHostedKind(kind) || kind === "compatible" || baseUrl !== kindFacts(kind).baseUrl)
    return {};
  const isOffered = searching[kind].test(modelId) && (kind !== "openai" || api === "responses");
  return isOffered ? { webSearch: kind } : {};
}

/** Run by the provider, so neither asked about nor executed here. */
export function webSearchTool(kind: WebSearchKind): Tool {
  switch (kind) {
    case "anthropic":
      return anthropic.tools.webSearch_20250305({ maxUses: 5 });
    case "openai":
      return openai.tools.webSearch({});
    case "google":
      return google.tools.googleSearch({});
  }
}
