import { z } from "zod";
import type { ProviderProblem } from "./model-provider";
import { kindFacts, providerKindSchema } from "./provider-kinds";

// Sent in a header: anything but printable ASCII makes `fetch` quote the key in its error.
const apiKeySchema = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,500}$/, "An API key has no spaces or line breaks in it.");

const baseUrlSchema = z
  .url({ protocol: /^https?$/, error: "An address starts with http:// or https://." })
  .refine((address) => {
    const url = URL.parse(address);
    return url !== null && url.username === "" && url.password === "" && url.search === "";
  }, "An address holds no user name, password or query.");

const perMillion = z.number().min(0).max(1_000_000);

export const providerSettingsSchema = z
  .object({
    provider: providerKindSchema,
    /** Model prefix, stable across renames; derived from the name when absent. */
    ref: z.string().min(1).max(200).optional(),
    /** Default: the service's or the host's. */
    name: z.string().trim().min(1).max(50).optional(),
    baseUrl: baseUrlSchema.optional(),
    apiKey: apiKeySchema.optional(),
    /** Servers behind a proxy may have only `chat`. */
    api: z.enum(["responses", "chat"]).optional(),
    /** Default: those the provider lists. */
    models: z.array(z.string().trim().min(1).max(200)).min(1).max(500).optional(),
  })
  .refine(({ provider, baseUrl }) => (baseUrl ?? kindFacts(provider).baseUrl) !== null, {
    path: ["baseUrl"],
    error: "An OpenAI-compatible server needs its address.",
  });

export const modelOverrideSchema = z.object({
  label: z.string().trim().min(1).max(100).optional(),
  contextWindow: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  price: z
    .object({
      inputPerMillion: perMillion,
      outputPerMillion: perMillion,
      cacheReadPerMillion: perMillion.optional(),
      cacheWritePerMillion: perMillion.optional(),
    })
    .nullable()
    .optional(),
  capabilities: z
    .object({ tools: z.boolean(), reasoning: z.boolean(), images: z.boolean() })
    .partial()
    .optional(),
});

/** Overrides are keyed by model ref. */
export const modelSettingsSchema = z.object({
  providers: z.array(providerSettingsSchema).max(50).default([]),
  overrides: z.record(z.string(), modelOverrideSchema).default({}),
});

export type ProviderSettings = z.infer<typeof providerSettingsSchema>;

/** Context window in tokens, prices in dollars per million tokens. */
export type ModelOverride = z.infer<typeof modelOverrideSchema>;

export type ModelSettings = z.infer<typeof modelSettingsSchema>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Those with a key (OpenAI-compatible: an address). An invalid variable is a problem, not an error, so that it does not
 * disable other providers.
 */
export function environmentProviders(environment: Environment): {
  providers: ProviderSettings[];
  problems: ProviderProblem[];
} {
  const providers: ProviderSettings[] = [];
  const problems: ProviderProblem[] = [];
  for (const candidate of candidates(environment)) {
    const parsed = providerSettingsSchema.safeParse(candidate.settings);
    if (parsed.success) providers.push(parsed.data);
    else
      problems.push({
        ...candidate.named,
        message: unusable(candidate.named.providerLabel, parsed.error),
      });
  }
  return { providers, problems };
}

type Candidate = {
  settings: Record<string, unknown>;
  named: { provider: string; providerLabel: string };
};

function candidates(environment: Environment): Candidate[] {
  return providerKindSchema.options.flatMap((provider) => {
    const { label, baseUrl: usualUrl, variables } = kindFacts(provider);
    const apiKey = settingOf(environment, variables.apiKey);
    const baseUrl = settingOf(environment, variables.baseUrl);
    const name = variables.name && settingOf(environment, variables.name);
    if ((usualUrl === null ? baseUrl : apiKey) === undefined) return [];
    return {
      settings: { provider, name, baseUrl, apiKey },
      named: { provider, providerLabel: name ?? label },
    };
  });
}

/** Empty counts as unset, as usual in `.env` files. */
function settingOf(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined;
}

function unusable(label: string, error: z.ZodError): string {
  const issue = error.issues[0];
  return `${label} is configured in the environment, but cannot be used: ${issue?.message ?? "unknown value."}`;
}
