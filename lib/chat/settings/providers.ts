import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import {
  isServerSecret,
  type SecretSealer,
  type SettingsOwner,
} from "@/lib/chat/core/settings-store";
import type { ModelFigures } from "@/lib/chat/wire/settings";
import {
  type ModelOverrides,
  type ProviderKind,
  type ProviderSettings,
  providerIds,
  providerKindSchema,
  type StoredModelSettings,
} from "@/lib/llm";
import { featureOverrides } from "./model-features";
import { overridesIn } from "./model-overrides";

/** A row of another version is still listed, so that it can be edited or removed. */
const describedSchema = z.object({
  provider: z.string().catch("unknown"),
  name: z.string().catch("Unreadable provider"),
  baseUrl: z.string().nullable().catch(null),
  keyHint: z.string().nullable().catch(null),
  ref: z.string().optional().catch(undefined),
});

export type StoredProvider = Omit<z.infer<typeof describedSchema>, "provider"> & {
  readonly id: string;
  readonly provider: ProviderKind;
};

/** Opens the keys: only the registry may see the result. */
export async function readModelSettings(
  owner: SettingsOwner,
  sealer: SecretSealer,
): Promise<StoredModelSettings> {
  const secrets = await providerSecrets(owner);
  const providers = await Promise.all(
    secrets.map(async ({ name: id, description, sealed }) => {
      const { provider, name, baseUrl, ref } = describedSchema.parse(description);
      const apiKey = sealed
        ? await sealer.open(sealed, sealContext(owner.personId, { id, provider, baseUrl }))
        : null;
      return {
        provider,
        name,
        ...(ref && { ref }),
        ...(baseUrl && { baseUrl }),
        ...(apiKey && { apiKey }),
      };
    }),
  );
  return { providers, overrides: overridesOf(await owner.settings.read()) };
}

function overridesOf(stored: Readonly<Record<string, unknown>>): ModelOverrides {
  const overrides = new Map<string, ModelOverrides[string]>(featureOverrides(stored));
  for (const { ref, ...each } of overridesIn(stored))
    overrides.set(ref, { ...overrides.get(ref), ...overrideOf(each) });
  return Object.fromEntries(overrides);
}

async function providerSecrets({ settings }: SettingsOwner) {
  return (await settings.secrets()).filter(({ name }) => !isServerSecret(name));
}

export async function storedProviders(owner: SettingsOwner): Promise<StoredProvider[]> {
  const secrets = await providerSecrets(owner);
  return secrets.map(({ name: id, description }) => {
    const described = describedSchema.parse(description);
    const kind = providerKindSchema.safeParse(described.provider);
    // A key of another kind cannot be kept, so none is shown.
    if (!kind.success) return { id, ...described, provider: "compatible", keyHint: null };
    return { id, ...described, provider: kind.data };
  });
}

export interface ProviderWrite {
  readonly id: string;
  readonly provider: StoredProvider["provider"];
  readonly name: string;
  readonly baseUrl: string | null;
  /** `undefined` keeps the key, unless the address changes: a key must not travel to a new host. */
  readonly apiKey: string | null | undefined;
}

/** The key is sealed for this person, provider and address. */
export async function saveProvider(
  owner: SettingsOwner,
  sealer: SecretSealer,
  write: ProviderWrite,
): Promise<void> {
  const { id, provider, name, baseUrl, apiKey } = write;
  if (provider === "compatible" && baseUrl === null) {
    throw new ChatError("invalid-body", "Enter the base URL of the OpenAI-compatible server.", {
      field: "baseUrl",
    });
  }
  await assertHasPlace(owner, write);
  if (isServerSecret(id)) throw new ChatError("invalid-body", "This id is taken.");
  const context = sealContext(owner.personId, { id, provider, baseUrl });
  const present = (await owner.settings.secrets()).find((secret) => secret.name === id);
  const keeps =
    apiKey === undefined &&
    present?.sealed &&
    (await sealer.open(present.sealed, context)) !== null;
  const before = present && describedSchema.parse(present.description);
  await owner.settings.saveSecret({
    name: id,
    description: {
      provider,
      name,
      baseUrl,
      ref: await refOf(owner, write),
      keyHint: apiKey ? keyHint(apiKey) : keeps ? (before?.keyHint ?? null) : null,
    },
    sealed: apiKey ? await sealer.seal(apiKey, context) : keeps ? present.sealed : null,
  });
}

/** A rename keeps the ref, so references stay valid. */
async function refOf(
  owner: SettingsOwner,
  { id, provider, name, baseUrl }: ProviderWrite,
): Promise<string> {
  const stored = await storedProviders(owner);
  const ids = providerIds(stored.map(settingsOf));
  const present = stored.findIndex((other) => other.id === id);
  const kept = ids[present];
  if (kept !== undefined && stored[present]?.provider === provider) return kept;
  const others = stored.flatMap((other, n) => {
    const ref = ids[n];
    return n === present || ref === undefined ? [] : [settingsOf({ ...other, ref })];
  });
  const fresh = settingsOf({ provider, name, baseUrl });
  return providerIds([...others, fresh]).at(-1) ?? id;
}

function settingsOf({
  provider,
  name,
  baseUrl,
  ref,
}: Pick<StoredProvider, "provider" | "name" | "baseUrl" | "ref">): ProviderSettings {
  return { provider, name, ...(ref && { ref }), ...(baseUrl && { baseUrl }) };
}

const maxProviders = 50;

async function assertHasPlace(
  owner: SettingsOwner,
  { id, provider, name }: ProviderWrite,
): Promise<void> {
  const others = (await storedProviders(owner)).filter((other) => other.id !== id);
  if (others.length >= maxProviders) {
    const message = `There are ${maxProviders} providers already. Remove one first.`;
    throw new ChatError("too-many-providers", message);
  }
  if (others.some((other) => other.provider === provider && isSameName(other.name, name))) {
    throw new ChatError("provider-name-taken", `A provider named “${name}” already exists.`, {
      field: "name",
    });
  }
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function sealContext(
  personId: PersonId,
  { id, provider, baseUrl }: { id: string; provider: string; baseUrl: string | null },
): string {
  return JSON.stringify([personId, id, provider, baseUrl]);
}

function overrideOf({ contextWindow, inputPerMillion, outputPerMillion }: ModelFigures) {
  return {
    ...(contextWindow !== null && { contextWindow }),
    ...(inputPerMillion !== null &&
      outputPerMillion !== null && { price: { inputPerMillion, outputPerMillion } }),
  };
}

const hintLength = 4;
const shortestWithHint = 12;

export function keyHint(key: string): string {
  return key.length < shortestWithHint ? "…" : key.slice(-hintLength);
}

export async function removeProvider({ settings }: SettingsOwner, id: string): Promise<void> {
  if (!(await settings.removeSecret(id)))
    throw new ChatError("provider-not-found", "This provider does not exist.");
}
