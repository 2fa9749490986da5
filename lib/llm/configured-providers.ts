import {
  type HostedKind,
  hostedBaseUrl,
  hostedLabel,
  isHostedKind,
  type ModelProvider,
  normalBaseUrl,
} from "./model-provider";
import type { ProviderSettings } from "./provider-settings";

/**
 * The providers that can be called, those the person stored first.
 *
 * What was stored wins over the environment. A key is only ever used at the address it was given for: a stored
 * address at another origin does not inherit the environment's key, and a stored key does not go to the
 * environment's address. A hosted provider without a key is left out.
 */
export function configuredProviders(
  stored: readonly ProviderSettings[],
  fromEnvironment: readonly ProviderSettings[],
): ModelProvider[] {
  const providers = new Map<string, ModelProvider>();
  for (const settings of stored) {
    const id = providerId(settings);
    const beneath = fromEnvironment.find((other) => providerId(other) === id);
    if (!providers.has(id)) providers.set(id, asProvider(withEnvironment(settings, beneath)));
  }
  for (const settings of fromEnvironment) {
    const id = providerId(settings);
    if (!providers.has(id)) providers.set(id, asProvider(settings));
  }
  return [...providers.values()].filter(
    ({ kind, apiKey }) => kind === "compatible" || apiKey !== null,
  );
}

/** The id a provider's models are named by. */
export function providerId({ provider, name, baseUrl }: ProviderSettings): string {
  if (provider !== "compatible") return provider;
  const slug = (name ?? hostOf(baseUrl))
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-|-$/g, "");
  return `compatible:${slug || "server"}`;
}

function withEnvironment(
  stored: ProviderSettings,
  beneath: ProviderSettings | undefined,
): ProviderSettings {
  if (beneath === undefined || stored.apiKey !== undefined) return stored;
  const baseUrl = stored.baseUrl ?? beneath.baseUrl;
  const sameOrigin = originOf({ ...stored, baseUrl }) === originOf(beneath);
  return { ...stored, baseUrl, apiKey: sameOrigin ? beneath.apiKey : undefined };
}

function asProvider(settings: ProviderSettings): ModelProvider {
  const { provider: kind } = settings;
  return {
    id: providerId(settings),
    kind,
    label: isHostedKind(kind) ? hostedLabel(kind) : (settings.name ?? hostOf(settings.baseUrl)),
    baseUrl: baseUrlOf(settings),
    apiKey: settings.apiKey ?? null,
    api: settings.api ?? "responses",
    models: settings.models ?? null,
  };
}

function originOf(settings: ProviderSettings): string {
  return new URL(baseUrlOf(settings)).origin;
}

function baseUrlOf({ provider, baseUrl }: ProviderSettings): string {
  if (baseUrl !== undefined) return normalBaseUrl(baseUrl, provider);
  // The settings schema refuses a compatible server without an address.
  return hostedBaseUrl(provider as HostedKind);
}

function hostOf(baseUrl: string | undefined): string {
  return (baseUrl && URL.parse(baseUrl)?.host) || "server";
}
