import type { z } from "zod";
import { hostedLabel, type ProviderProblem } from "./model-provider";
import { type ProviderSettings, providerSettingsSchema } from "./provider-settings";

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  google: { apiKey: "GOOGLE_GENERATIVE_AI_API_KEY", baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL" },
} as const;

/** The environment variable that holds a provider's key. */
export function keyVariable(provider: keyof typeof variables): string {
  return variables[provider].apiKey;
}

/**
 * The providers an environment configures.
 *
 * A provider counts when its key is set (the OpenAI-compatible one: its address). A variable that cannot be used
 * is a problem, not an error, so that one typing mistake does not take the other providers away.
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
  const found: Candidate[] = [];
  for (const provider of ["anthropic", "openai", "google"] as const) {
    const apiKey = settingOf(environment, variables[provider].apiKey);
    if (apiKey === undefined) continue;
    const baseUrl = settingOf(environment, variables[provider].baseUrl);
    found.push({
      settings: { provider, apiKey, baseUrl },
      named: { provider, providerLabel: hostedLabel(provider) },
    });
  }
  const baseUrl = settingOf(environment, "OPENAI_COMPATIBLE_BASE_URL");
  if (baseUrl === undefined) return found;
  const apiKey = settingOf(environment, "OPENAI_COMPATIBLE_API_KEY");
  const name = settingOf(environment, "OPENAI_COMPATIBLE_NAME");
  found.push({
    settings: { provider: "compatible", name, baseUrl, apiKey },
    named: { provider: "compatible", providerLabel: name ?? "OpenAI-compatible server" },
  });
  return found;
}

/** A variable set to nothing counts as not set: `.env` files are full of them. */
function settingOf(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined;
}

function unusable(label: string, error: z.ZodError): string {
  const issue = error.issues[0];
  return `${label} is configured in the environment, but cannot be used: ${issue?.message ?? "unknown value."}`;
}
