import type { ParameterName } from "./model-parameters";

export interface ProviderPreset {
  readonly label: string;
  readonly note: string;
  /** May hold RESOURCE, which the person replaces. */
  readonly baseUrl: string;
  readonly host?: RegExp;
  /** `null` for servers that need no key. */
  readonly keysUrl: string | null;
  readonly hint?: string;
  readonly isUnlisted?: boolean;
  readonly misread?: { readonly address: RegExp; readonly sentence: string };
  readonly refuses?: { readonly models: RegExp; readonly parameters: readonly ParameterName[] };
}

const elsewhere = "On this machine it is detected automatically.";

/** Addresses and demands as documented in November 2026. */
export const providerPresets = {
  openrouter: {
    label: "OpenRouter",
    note: "Models of many companies with one key",
    baseUrl: "https://openrouter.ai/api/v1",
    host: /^(.+\.)?openrouter\.ai$/,
    keysUrl: "https://openrouter.ai/keys",
  },
  groq: {
    label: "Groq",
    note: "Open models, fast",
    baseUrl: "https://api.groq.com/openai/v1",
    host: /^api\.groq\.com$/,
    keysUrl: "https://console.groq.com/keys",
  },
  mistral: {
    label: "Mistral",
    note: "Mistral models",
    baseUrl: "https://api.mistral.ai/v1",
    host: /^api\.mistral\.ai$/,
    keysUrl: "https://console.mistral.ai/api-keys",
  },
  xai: {
    label: "xAI",
    note: "Grok models",
    baseUrl: "https://api.x.ai/v1",
    host: /^(.+\.)?api\.x\.ai$/,
    keysUrl: "https://console.x.ai/team/default/api-keys",
  },
  deepseek: {
    label: "DeepSeek",
    note: "DeepSeek models",
    baseUrl: "https://api.deepseek.com/v1",
    host: /^api\.deepseek\.com$/,
    keysUrl: "https://platform.deepseek.com/api_keys",
    hint: "Temperature has no effect while a model thinks.",
  },
  together: {
    label: "Together",
    note: "Open models",
    baseUrl: "https://api.together.ai/v1",
    host: /^api\.together\.(?:ai|xyz)$/,
    keysUrl: "https://api.together.ai/settings/projects/~current/api-keys",
  },
  fireworks: {
    label: "Fireworks",
    note: "Open models",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    host: /^(.+\.)?api\.fireworks\.ai$/,
    keysUrl: "https://fireworks.ai/account/api-keys",
  },
  azure: {
    label: "Azure",
    note: "Your deployments of OpenAI and other models",
    baseUrl: "https://RESOURCE.openai.azure.com/openai/v1",
    host: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    keysUrl: "https://ai.azure.com",
    hint: "Put the name of your resource for RESOURCE. Azure lists models, not deployments: type a deployment's name in the model menu.",
    isUnlisted: true,
    misread: {
      address: /\/\/RESOURCE\.|\/deployments\/|[?&]api-version=/,
      sentence:
        "Enter your resource's URL up to /openai/v1, without deployment and api-version. Deployments are chosen as models.",
    },
    refuses: { models: /^(?:o\d|gpt-5)/, parameters: ["temperature", "maxOutputTokens"] },
  },
  "lm-studio": {
    label: "LM Studio",
    note: "A server of your own",
    baseUrl: "http://localhost:1234/v1",
    host: /:1234$/,
    keysUrl: null,
    hint: `${elsewhere} Elsewhere, turn on “Serve on Local Network” there. A model's context is the length it is loaded with.`,
  },
  ollama: {
    label: "Ollama",
    note: "A server of your own",
    baseUrl: "http://localhost:11434/v1",
    host: /:11434$/,
    keysUrl: null,
    hint: `${elsewhere} Elsewhere, start it with OLLAMA_HOST=0.0.0.0. Its context is often 4,096 tokens: OLLAMA_CONTEXT_LENGTH sets more.`,
  },
  vllm: {
    label: "vLLM",
    note: "A server of your own",
    baseUrl: "http://localhost:8000/v1",
    keysUrl: null,
    hint: `${elsewhere} Tools need --enable-auto-tool-choice and --tool-call-parser, --max-model-len sets the context.`,
  },
  "llama.cpp": {
    label: "llama.cpp",
    note: "A server of your own",
    baseUrl: "http://localhost:8080/v1",
    keysUrl: null,
    hint: `${elsewhere} Elsewhere, start it with --host 0.0.0.0. Older versions need --jinja for tools, -c sets the context.`,
  },
} as const satisfies Record<string, ProviderPreset>;

export type PresetId = keyof typeof providerPresets;

export function isPreset(type: string): type is PresetId {
  return Object.hasOwn(providerPresets, type);
}

export function presetFacts(id: PresetId): ProviderPreset {
  return providerPresets[id];
}

/** `null` where the address may be any server's. */
export function presetOf(address: string): PresetId | null {
  const host = URL.parse(address.trim())?.host ?? "";
  const ids = Object.keys(providerPresets).filter(isPreset);
  return ids.find((id) => presetFacts(id).host?.test(host)) ?? null;
}
