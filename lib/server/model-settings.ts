import { z } from "zod";
import { type ProviderSettings, providerIds } from "@/lib/llm";
import { keyHint } from "./key-hint";
import type { OwnerServices } from "./owner-services";
import { SecretBox } from "./secret-box";

const describedSchema = z.object({
  provider: z.enum(["openai", "anthropic", "google", "compatible"]),
  name: z.string(),
  baseUrl: z.string().nullable(),
  keyHint: z.string().nullable(),
  /** What its models are named by; absent until it is first saved by a Grove that notes it. */
  ref: z.string().optional(),
});

/** A provider as it is stored, without its key. */
export type StoredProvider = z.infer<typeof describedSchema> & { readonly id: string };

/** Corrections of windows and prices; what does not fit is none. */
export const overridesSchema = z
  .array(
    z.object({
      ref: z.string(),
      contextWindow: z.number().nullable(),
      inputPerMillion: z.number().nullable(),
      outputPerMillion: z.number().nullable(),
    }),
  )
  .catch([]);

export type StoredOverride = z.infer<typeof overridesSchema>[number];

/** What an owner has set about models, keys opened: for the registry alone. */
export async function readModelSettings(
  owner: OwnerServices,
  secretsKeyFile: string,
): Promise<unknown> {
  const box = new SecretBox(secretsKeyFile);
  const secrets = await owner.settings.secrets();
  const providers = await Promise.all(
    secrets.map(async ({ name: id, description, sealed }) => {
      const { provider, name, baseUrl, ref } = describedSchema.parse(JSON.parse(description));
      const apiKey = sealed
        ? await box.open(sealed, sealContext(owner.ownerId, { id, provider, baseUrl }))
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
  const overrides = (await storedOverrides(owner)).map(
    ({ ref, ...each }) => [ref, overrideOf(each)] as const,
  );
  return { providers, overrides: Object.fromEntries(overrides) };
}

/** Providers an owner has stored, without keys. */
export async function storedProviders(owner: OwnerServices): Promise<StoredProvider[]> {
  const secrets = await owner.settings.secrets();
  return secrets.map(({ name: id, description }) => ({
    id,
    ...describedSchema.parse(JSON.parse(description)),
  }));
}

export async function storedOverrides(owner: OwnerServices): Promise<StoredOverride[]> {
  return overridesSchema.parse((await owner.settings.read()).modelOverrides);
}

/** Two providers of one kind that are called alike could not be told apart in any list. */
export class ProviderNameTakenError extends Error {
  override readonly name = "ProviderNameTakenError";
  constructor(taken: string) {
    super(`There is a provider called “${taken}” already. Give this one another name.`);
  }
}

export interface ProviderWrite {
  readonly id: string;
  readonly provider: StoredProvider["provider"];
  readonly name: string;
  readonly baseUrl: string | null;
  /** `undefined` keeps the stored key, unless the address changes: a key must not travel to a new host. */
  readonly apiKey: string | null | undefined;
}

/** Stores a provider; its key is sealed for this owner, provider and address. @throws {ProviderNameTakenError} */
export async function saveProvider(
  owner: OwnerServices,
  secretsKeyFile: string,
  write: ProviderWrite,
): Promise<void> {
  const { id, provider, name, baseUrl, apiKey } = write;
  await assertNameIsFree(owner, write);
  const box = new SecretBox(secretsKeyFile);
  const context = sealContext(owner.ownerId, { id, provider, baseUrl });
  const present = (await owner.settings.secrets()).find((secret) => secret.name === id);
  const keeps =
    apiKey === undefined && present?.sealed && (await box.open(present.sealed, context)) !== null;
  const before = present && describedSchema.parse(JSON.parse(present.description));
  await owner.settings.saveSecret({
    name: id,
    description: JSON.stringify({
      provider,
      name,
      baseUrl,
      ref: await refOf(owner, write),
      keyHint: apiKey ? keyHint(apiKey) : keeps ? (before?.keyHint ?? null) : null,
    }),
    sealed: apiKey ? await box.seal(apiKey, context) : keeps ? present.sealed : null,
  });
}

/**
 * What the models of a provider are named by, in sessions, settings and receipts: made of the first name it has, and kept
 * when it is called something else, so that nothing that names them has to change.
 */
async function refOf(
  owner: OwnerServices,
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

/** @throws {ProviderNameTakenError} */
async function assertNameIsFree(
  owner: OwnerServices,
  { id, provider, name }: ProviderWrite,
): Promise<void> {
  const taken = (await storedProviders(owner)).some(
    (other) => other.id !== id && other.provider === provider && isSameName(other.name, name),
  );
  if (taken) throw new ProviderNameTakenError(name);
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function sealContext(
  ownerId: string,
  { id, provider, baseUrl }: Pick<StoredProvider, "id" | "provider" | "baseUrl">,
): string {
  return JSON.stringify([ownerId, id, provider, baseUrl]);
}

function overrideOf({
  contextWindow,
  inputPerMillion,
  outputPerMillion,
}: Omit<StoredOverride, "ref">) {
  return {
    ...(contextWindow !== null && { contextWindow }),
    ...(inputPerMillion !== null &&
      outputPerMillion !== null && { price: { inputPerMillion, outputPerMillion } }),
  };
}
