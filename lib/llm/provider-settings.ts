import { z } from "zod";
import { features } from "./features";
import type { ProviderProblem } from "./model-provider";
import { kindFacts, providerKindSchema } from "./provider-kinds";

// Anything but printable ASCII in a header makes `fetch` quote the key in its error.
export const apiKeySchema = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,500}$/, "An API key has no spaces or line breaks in it.");

export const baseUrlSchema = z
  .url({ protocol: /^https?$/, error: "An address starts with http:// or https://." })
  .refine((address) => {
    const url = URL.parse(address);
    return url !== null && url.username === "" && url.password === "" && url.search === "";
  }, "An address holds no user name, password or query.");

const perMillion = z.number().min(0).max(1_000_000);

export const providerSettingsSchema = z
  .object({
    provider: providerKindSchema,
    /** Model prefix, stable across renames. Default: derived from the name. */
    ref: z.string().min(1).max(200).optional(),
    name: z.string().trim().min(1).max(50).optional(),
    baseUrl: baseUrlSchema.optional(),
    apiKey: apiKeySchema.optional(),
    /** Servers behind a proxy may have only `chat`. */
    api: z.enum(["responses", "chat"]).optional(),
    models: z.array(z.string().trim().min(1).max(200)).min(1).max(500).optional(),
  })
  .refine(({ provider, baseUrl }) => (baseUrl ?? kindFacts(provider).baseUrl) !== null, {
    path: ["baseUrl"],
    error: "An OpenAI-compatible server needs its address.",
  });

const modelOverrideSchema = z.object({
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
    .object({ tools: z.boolean(), reasoning: z.boolean(), images: z.boolean(), pdfs: z.boolean() })
    .partial()
    .optional(),
  without: z.array(z.enum(features)).optional(),
});

export type ProviderSettings = z.infer<typeof providerSettingsSchema>;

/** Window in tokens, prices in dollars per million tokens. */
export type ModelOverride = z.infer<typeof modelOverrideSchema>;

export type ModelOverrides = Readonly<Record<string, ModelOverride>>;

export type ModelSettings = {
  readonly providers: readonly ProviderSettings[];
  readonly overrides: ModelOverrides;
};

export type StoredModelSettings = {
  readonly providers: readonly unknown[];
  readonly overrides: Readonly<Record<string, unknown>>;
};

export function readStoredSettings({ providers, overrides }: StoredModelSettings): {
  settings: ModelSettings;
  problems: ProviderProblem[];
} {
  const problems: ProviderProblem[] = [];
  const valid = providers.flatMap((row) => {
    const parsed = providerSettingsSchema.safeParse(row);
    if (parsed.success) return parsed.data;
    const { name = "A provider" } = namedSchema.parse(row);
    const message = `${name} is saved in Settings, but cannot be used: ${firstIssue(parsed.error)}`;
    problems.push({ provider: name, providerLabel: name, message });
    return [];
  });
  const kept = Object.entries(overrides).flatMap(([ref, row]) => {
    const parsed = modelOverrideSchema.safeParse(row);
    if (parsed.success) return [[ref, parsed.data] as const];
    const message = `The saved facts about ${ref} are not used: ${firstIssue(parsed.error)}`;
    problems.push({ provider: ref, providerLabel: ref, message });
    return [];
  });
  return { settings: { providers: valid, overrides: Object.fromEntries(kept) }, problems };
}

const namedSchema = z.object({ name: z.string().optional().catch(undefined) }).catch({});

function firstIssue(error: z.ZodError): string {
  return error.issues[0]?.message ?? "unknown value.";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid variable disables no other provider. */
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
        message: `${candidate.named.providerLabel} is configured in the environment, but cannot be used: ${firstIssue(parsed.error)}`,
      });
  }
  return { providers, problems };
}

type ProviderCandidate = {
  settings: Record<string, unknown>;
  named: { provider: string; providerLabel: string };
};

function candidates(environment: Environment): ProviderCandidate[] {
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

function settingOf(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined;
}
