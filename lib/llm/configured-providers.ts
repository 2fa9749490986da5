import type { ModelProvider } from "./model-provider";
import { isHostedKind, kindFacts, normalBaseUrl, type ProviderKind } from "./provider-kinds";
import type { ProviderSettings } from "./provider-settings";

/** A stored provider without a key takes the environment's of the same id, for its address alone. */
export function configuredProviders(
  stored: readonly ProviderSettings[],
  fromEnvironment: readonly ProviderSettings[],
): ModelProvider[] {
  const ids = providerIds(stored);
  const own = stored.map((settings, n) => {
    const beneath = fromEnvironment.find((other) => isSameAccount(settings, other));
    const provider = asProvider(ids[n] ?? providerId(settings), withEnvironment(settings, beneath));
    return {
      ...provider,
      ...(settings.baseUrl !== undefined && { hasOwnAddress: true }),
      ...(!(beneath && isCompletedBy(settings, beneath)) && { isOwn: true }),
    };
  });
  const given = fromEnvironment.flatMap((settings) => {
    const id = providerId(settings);
    const namesake = stored[ids.indexOf(id)];
    if (namesake === undefined) return asProvider(id, settings);
    if (isCompletedBy(namesake, settings)) return [];
    const provider = asProvider(freeId(id, new Set(ids)), settings);
    return { ...provider, label: `${provider.label} (environment)` };
  });
  return [...own, ...given].filter(({ kind, apiKey }) => kind === "compatible" || apiKey !== null);
}

export function providerIds(stored: readonly ProviderSettings[]): string[] {
  const given = new Set(stored.flatMap(({ ref }) => ref ?? []));
  const free = (settings: ProviderSettings) => {
    const id = freeId(providerId(settings), given);
    given.add(id);
    return id;
  };
  return stored.map((settings) => settings.ref ?? free(settings));
}

function providerId({ provider, name, baseUrl }: ProviderSettings): string {
  if (provider === "compatible") return `compatible:${slugOf(name ?? hostOf(baseUrl))}`;
  return hasOwnName(provider, name) ? `${provider}:${slugOf(name)}` : provider;
}

export function providerLabel({
  provider,
  name,
  baseUrl,
}: Pick<ProviderSettings, "provider" | "name" | "baseUrl">): string {
  return name ?? (isHostedKind(provider) ? kindFacts(provider).label : hostOf(baseUrl));
}

function hasOwnName(provider: ProviderKind, name: string | undefined): name is string {
  return name !== undefined && name.toLowerCase() !== kindFacts(provider).label.toLowerCase();
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, "-")
    .replace(/^-|-$/g, "");
  return slug || "server";
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  const numbered = (count: number) => (count === 1 ? id : `${id}-${count}`);
  let count = 1;
  while (taken.has(numbered(count))) count++;
  return numbered(count);
}

/** The name of a hosted service does not distinguish accounts. */
function isSameAccount(stored: ProviderSettings, environment: ProviderSettings): boolean {
  if (stored.provider === "compatible")
    return (stored.ref ?? providerId(stored)) === providerId(environment);
  return stored.provider === environment.provider;
}

function withEnvironment(
  stored: ProviderSettings,
  beneath: ProviderSettings | undefined,
): ProviderSettings {
  if (beneath === undefined || stored.apiKey !== undefined) return stored;
  const baseUrl = stored.baseUrl ?? beneath.baseUrl;
  return {
    ...stored,
    baseUrl,
    apiKey: isCompletedBy(stored, beneath) ? beneath.apiKey : undefined,
  };
}

function isCompletedBy(stored: ProviderSettings, beneath: ProviderSettings): boolean {
  const baseUrl = stored.baseUrl ?? beneath.baseUrl;
  return stored.apiKey === undefined && originOf({ ...stored, baseUrl }) === originOf(beneath);
}

function asProvider(id: string, settings: ProviderSettings): ModelProvider {
  const { provider: kind } = settings;
  return {
    id,
    kind,
    label: providerLabel(settings),
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
  const { baseUrl: usualUrl, label } = kindFacts(provider);
  if (usualUrl === null) throw new Error(`${label} needs an address.`);
  return usualUrl;
}

function hostOf(baseUrl: string | undefined): string {
  return (baseUrl && URL.parse(baseUrl)?.host) || "server";
}
