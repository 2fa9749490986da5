import { z } from "zod";
import { presetFacts, presetOf } from "./provider-presets";

interface KindFacts {
  readonly label: string;
  readonly note: string;
  readonly baseUrl: string | null;
  readonly exampleUrl?: string;
  readonly keysUrl?: string;
  readonly variables: {
    readonly apiKey: string;
    readonly baseUrl: string;
    readonly name?: string;
  };
}

/** Earlier kinds come first in the environment. */
export const providerKinds = {
  anthropic: {
    label: "Anthropic",
    note: "Claude models",
    baseUrl: "https://api.anthropic.com/v1",
    keysUrl: "https://console.anthropic.com/settings/keys",
    variables: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  },
  openai: {
    label: "OpenAI",
    note: "GPT models",
    baseUrl: "https://api.openai.com/v1",
    keysUrl: "https://platform.openai.com/api-keys",
    variables: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  },
  google: {
    label: "Google",
    note: "Gemini models",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keysUrl: "https://aistudio.google.com/apikey",
    variables: {
      apiKey: "GOOGLE_GENERATIVE_AI_API_KEY",
      baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
    },
  },
  compatible: {
    label: "OpenAI-compatible",
    note: "Any server that speaks the OpenAI chat format",
    baseUrl: null,
    exampleUrl: "http://localhost:8000/v1",
    variables: {
      apiKey: "OPENAI_COMPATIBLE_API_KEY",
      baseUrl: "OPENAI_COMPATIBLE_BASE_URL",
      name: "OPENAI_COMPATIBLE_NAME",
    },
  },
} as const satisfies Record<string, KindFacts>;

export type ProviderKind = keyof typeof providerKinds;

export const providerKindSchema = z.enum(Object.keys(providerKinds) as ProviderKind[]);

export function kindFacts(kind: ProviderKind): KindFacts {
  return providerKinds[kind];
}

export function isHostedKind(kind: string): kind is ProviderKind {
  const parsed = providerKindSchema.safeParse(kind);
  return parsed.success && kindFacts(parsed.data).baseUrl !== null;
}

export function normalBaseUrl(address: string, kind: ProviderKind): string {
  const trimmed = address.replace(/(?:\/chat\/completions)?\/*$/, "");
  if (new URL(trimmed).pathname !== "/") return trimmed;
  const preset = kind === "compatible" ? presetOf(trimmed) : null;
  const { baseUrl, exampleUrl } = kindFacts(kind);
  const usual = preset ? presetFacts(preset).baseUrl : (baseUrl ?? exampleUrl ?? "");
  return trimmed + new URL(usual).pathname;
}
