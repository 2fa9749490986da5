import { z } from "zod";

interface KindFacts {
  readonly label: string;
  readonly note: string;
  readonly baseUrl: string | null;
  readonly exampleUrl?: string;
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
    note: "Claude models with a key from console.anthropic.com",
    baseUrl: "https://api.anthropic.com/v1",
    variables: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  },
  openai: {
    label: "OpenAI",
    note: "GPT models with a key from platform.openai.com",
    baseUrl: "https://api.openai.com/v1",
    variables: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  },
  google: {
    label: "Google",
    note: "Gemini models with a key from aistudio.google.com",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
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
  const trimmed = address.replace(/\/+$/, "");
  if (new URL(trimmed).pathname !== "/") return trimmed;
  const { baseUrl, exampleUrl } = kindFacts(kind);
  return trimmed + new URL(baseUrl ?? exampleUrl ?? "").pathname;
}
