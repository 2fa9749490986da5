import { type ModelParameters, modelParameters } from "@/lib/chat/wire/request-fields";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { type PresetWire, presetSchema } from "@/lib/chat/wire/settings";

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

/** Keys of their own merge, so that two tabs cannot undo each other's marks. */
export function modelMarkChanges({
  ref,
  isFavorite,
  isHidden,
}: {
  ref: string;
  isFavorite?: boolean | undefined;
  isHidden?: boolean | undefined;
}): Record<string, boolean> {
  return {
    ...(isFavorite !== undefined && { [`favorite ${ref}`]: isFavorite }),
    ...(isHidden !== undefined && { [`hidden ${ref}`]: isHidden }),
  };
}

export function modelMarksIn(settings: Readonly<Record<string, unknown>>) {
  const marked = (mark: string) =>
    Object.keys(settings)
      .filter((key) => key.startsWith(mark) && settings[key] === true)
      .map((key) => key.slice(mark.length));
  return {
    favorites: marked("favorite "),
    hidden: marked("hidden "),
    isFavorite: (ref: string) => settings[`favorite ${ref}`] === true,
    isHidden: (ref: string) => settings[`hidden ${ref}`] === true,
  };
}

/** Presets of another version are left out. */
export function presetsIn({ presets }: { readonly presets?: unknown }): PresetWire[] {
  if (!Array.isArray(presets)) return [];
  return presets.flatMap((preset) => presetSchema.safeParse(preset).data ?? []);
}

/** Parameters in the metadata of a session. */
export function parametersIn({ parameters }: Readonly<Record<string, unknown>>): ModelParameters {
  return modelParameters.safeParse(parameters).data ?? {};
}

/** The mode in stored settings of a session or owner; on by default. */
export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
