import { z } from "zod";
import { type ModelParameters, modelParameters } from "@/lib/chat/wire/request-fields";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { KeyedSettings } from "./keyed-settings";

/** Its description contains no secret. */
interface SecretRow {
  readonly name: string;
  readonly description: Readonly<Record<string, unknown>>;
  /** `null` without a key. */
  readonly sealed: string | null;
}

/** One JSON document, and secrets that arrive and leave sealed. */
export interface SettingsStore {
  /** `{}` before the first write. */
  read(): Promise<Record<string, unknown>>;
  /** One statement; a key that is absent or `undefined` stays. */
  change(changes: Record<string, unknown>): Promise<void>;
  secrets(): Promise<SecretRow[]>;
  saveSecret(secret: SecretRow): Promise<void>;
  removeSecret(name: string): Promise<boolean>;
}

/** An envelope opens only with the context it was sealed with. */
export interface SecretSealer {
  seal(secret: string, context: string): Promise<string>;
  /** `null` for another key or context. */
  open(envelope: string, context: string): Promise<string | null>;
}

const serverPrefix = "mcp:";

/** The row of a tool server; other rows are model providers. */
export function serverSecretName(id: string): string {
  return `${serverPrefix}${id}`;
}

export function isServerSecret(name: string): boolean {
  return name.startsWith(serverPrefix);
}

export interface SettingsOwner {
  readonly ownerId: string;
  readonly settings: SettingsStore;
}

/** Address of a SearXNG server in stored settings; `null` without one. */
export function searchAddressIn({
  searchAddress,
}: Readonly<Record<string, unknown>>): string | null {
  return typeof searchAddress === "string" && URL.canParse(searchAddress) ? searchAddress : null;
}

const favorites = new KeyedSettings("favorite ", z.literal(true));
const hidden = new KeyedSettings("hidden ", z.literal(true));

/** For `SettingsStore.change`. */
export function modelMarkChanges({
  ref,
  isFavorite,
  isHidden,
}: {
  ref: string;
  isFavorite?: boolean | undefined;
  isHidden?: boolean | undefined;
}): Record<string, true | null> {
  return {
    ...(isFavorite !== undefined && favorites.changes({ [ref]: isFavorite || null })),
    ...(isHidden !== undefined && hidden.changes({ [ref]: isHidden || null })),
  };
}

export function modelMarksIn(settings: Readonly<Record<string, unknown>>) {
  const [favorite, unlisted] = [favorites.read(settings), hidden.read(settings)];
  return {
    favorites: [...favorite.keys()],
    hidden: [...unlisted.keys()],
    isFavorite: (ref: string) => favorite.has(ref),
    isHidden: (ref: string) => unlisted.has(ref),
  };
}

/** Parameters in the metadata of a session. */
export function parametersIn({ parameters }: Readonly<Record<string, unknown>>): ModelParameters {
  return modelParameters.safeParse(parameters).data ?? {};
}

/** The mode in stored settings of a session or owner; on by default. */
export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
